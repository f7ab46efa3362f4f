import type { ClientDirective } from 'astro';
import { findButton, showSending } from './sending-button.ts';

const SIGNS = ['pointerover', 'pointerdown', 'focusin', 'keydown', 'input'];
const PATIENCE = 15_000; // milliseconds until a held form is sent without the scripts

/**
 * `client:intent` hydrates an island at the first sign that a visitor is about to use it.
 *
 * A submit before hydration is held, and repeated after it. If the scripts fail to load, or stall, or a component throws,
 * the browser sends the form natively: its own action is a real endpoint.
 *
 * Hydrated or not, a button with a `command` opens its modal in browsers that lack commands, and following a link in a
 * modal closes the modal, because it would cover the target of the link.
 */
const intent: ClientDirective = (load, _options, island) => {
  let isAwake = false;
  let isSettled = false;
  let held: HTMLFormElement | undefined;

  /** Stops holding. Either React handles the island's events now, or the browser does. */
  const settle = () => {
    if (isSettled) return;
    isSettled = true;
    if (!held) return;
    showSending(held, false);
    findButton(held).click();
  };

  const wake = async () => {
    if (isAwake) return;
    isAwake = true;
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

  /** Holds a form until the island is hydrated. */
  const onSubmit = (event: SubmitEvent) => {
    const form = event.target as HTMLFormElement;
    // The form of a modal has no such button: it closes the modal.
    if (isSettled || !findButton(form)) return;
    event.preventDefault();
    event.stopPropagation();
    // A program, such as a password manager, can submit a form again although its button is disabled.
    if (held) return;
    held = form;
    showSending(form, true);
    setTimeout(settle, PATIENCE);
    // Leaving before then does not lose the sign-up. After Back, the form is sent again, which changes nothing.
    addEventListener('pagehide', () => {
      if (!isSettled) navigator.sendBeacon(form.action, new URLSearchParams(new FormData(form) as never));
    });
    void wake();
  };

  const onClick = (event: MouseEvent) => {
    // A click makes React hydrate at once. If a component throws then, the click is lost.
    if (!isSettled) event.stopImmediatePropagation();
    const target = event.target as HTMLElement;
    target.closest('a')?.closest('dialog')?.close();
    const trigger = target.closest('[command]');
    if (trigger && !('command' in trigger)) island.querySelector('dialog')!.showModal();
  };

  for (const sign of SIGNS) island.addEventListener(sign, wake);
  island.addEventListener('submit', onSubmit, true);
  island.addEventListener('click', onClick, true);
};

export default intent;
