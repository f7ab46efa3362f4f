import type { ClientDirective } from 'astro';
import { findButton, showSending } from './sending.ts';

const SIGNS = ['pointerover', 'pointerdown', 'focusin', 'keydown', 'input'];
const PATIENCE = 15_000; // milliseconds until a held action is carried out without the scripts

/**
 * `client:intent` hydrates an island at the first sign that a visitor is about to use it.
 *
 * A submit before hydration is held, and repeated after it. So is a click on `[data-hold]`, unless the browser supports
 * the button's `command`. If the scripts fail to load, or stall, or a component throws, the browser carries out the held
 * action natively: a form's own action is a real endpoint.
 *
 * Following a link in a modal closes the modal, hydrated or not, because it would cover the target of the link.
 */
const intent: ClientDirective = (load, _options, island) => {
  let state: 'asleep' | 'waking' | 'settled' = 'asleep';
  let held: HTMLButtonElement | undefined;

  /** Stops holding. Either React handles the island's events now, or the browser does. */
  const settle = () => {
    if (state === 'settled') return;
    state = 'settled';
    if (held?.form) showSending(held.form, false);
    held?.click();
  };

  const wake = async () => {
    if (state !== 'asleep') return;
    state = 'waking';
    const native = [...island.childNodes];
    // When a component throws, React removes everything.
    const restore = () => {
      if (island.firstElementChild) return;
      island.append(...native);
      settle();
    };
    new MutationObserver(restore).observe(island, { childList: true });
    const hydrated = new Promise((resolve) => island.addEventListener('hydrated', resolve));
    const hydrate = await load();
    await hydrate();
    // Astro removes it only when all scripts have loaded.
    if (!island.hasAttribute('ssr')) await hydrated;
    settle();
  };

  /** Holds the action of a button until the island is hydrated. */
  const hold = (event: Event, button: HTMLButtonElement) => {
    if (state === 'settled') return;
    event.preventDefault();
    event.stopPropagation();
    // A program, such as a password manager, can submit a form again although its button is disabled.
    if (held) return;
    held = button;
    if (button.form) showSending(button.form, true);
    setTimeout(settle, PATIENCE);
    void wake();
  };

  const onSubmit = (event: SubmitEvent) => {
    // The form of a modal has none: it closes the modal.
    const button = findButton(event.target as HTMLFormElement);
    if (button) hold(event, button);
  };

  const onClick = (event: MouseEvent) => {
    // A click makes React hydrate at once. If a component throws then, the click is lost.
    if (state !== 'settled') event.stopImmediatePropagation();
    const target = event.target as HTMLElement;
    target.closest('a')?.closest('dialog')?.close();
    const button = target.closest<HTMLButtonElement>('[data-hold]');
    if (button && !('command' in button)) hold(event, button);
  };

  for (const sign of SIGNS) island.addEventListener(sign, wake);
  island.addEventListener('submit', onSubmit, true);
  island.addEventListener('click', onClick, true);
};

export default intent;
