import type { ClientDirective } from 'astro';

const SIGNS = ['pointerover', 'pointerdown', 'focusin', 'keydown', 'input'];
const PATIENCE = 15_000; // milliseconds until a held action is sent without the scripts

/**
 * `client:intent` hydrates an island at the first sign that a visitor is about to use it.
 *
 * It requests all scripts of the island at once. The build lists them in `data-scripts` (src/built-pages).
 *
 * A submit before hydration is held, and repeated after it. So is a click on `[data-hold]`, unless the browser supports
 * the button's `command`. Meanwhile the button is disabled and shows its `data-sending`, and the form dispatches `held`
 * each time a script arrives, so that work without React can start. If the scripts fail to load, or stall, the browser
 * carries out the held action natively: a form's own action is a real endpoint. If a component throws while it renders,
 * the native elements come back.
 *
 * Following a link in a modal closes the modal, hydrated or not, because it would cover the target of the link.
 */
const intent: ClientDirective = (load, _options, island) => {
  let scripts: Promise<unknown>[] = [];
  let held: HTMLButtonElement | undefined;
  let pressed: HTMLElement | undefined;
  let isHolding = true;
  let isWaking = false;

  const toggleSending = (button: HTMLButtonElement) => {
    const { dataset, textContent } = button;
    if (!dataset['sending']) return;
    button.textContent = dataset['sending'];
    dataset['sending'] = textContent;
    button.disabled = !button.disabled;
  };

  const release = () => {
    if (!isHolding) return;
    isHolding = false;
    if (!held) return;
    // React expects the HTML that it rendered. It renders its own state in the same task, so visitors see no change.
    toggleSending(held);
    // A click makes React hydrate at once; requestSubmit() alone would trigger the native action.
    held.click();
  };

  const wake = async () => {
    if (isWaking) return;
    isWaking = true;
    const urls = island.dataset['scripts']?.split(' ') ?? [];
    scripts = urls.map((url) => import(url).catch(() => {}));
    const native = [...island.childNodes];
    // When a component throws, React removes everything, and the click that made it render is lost.
    const restore = () => {
      if (island.firstElementChild) return;
      island.append(...native);
      pressed?.click();
    };
    new MutationObserver(restore).observe(island, { childList: true });
    try {
      await (
        await load()
      )();
    } finally {
      release();
    }
  };

  /** Holds the action of a button until the island is hydrated. Returns whether it is the first one held. */
  const hold = (event: Event, button: HTMLElement | null) => {
    if (!isHolding || !button) return false;
    event.preventDefault();
    event.stopPropagation();
    // A program, such as a password manager, can submit a form again although its button is disabled.
    if (held) return false;
    held = button as HTMLButtonElement;
    toggleSending(held);
    setTimeout(release, PATIENCE);
    void wake();
    return true;
  };

  const onSubmit = (event: SubmitEvent) => {
    const form = event.target as HTMLFormElement;
    if (form.method === 'dialog' || !hold(event, event.submitter ?? form.querySelector('button'))) return;
    const announce = () => isHolding && form.dispatchEvent(new Event('held', { bubbles: true }));
    for (const script of scripts) void script.then(announce);
  };

  const onClick = (event: MouseEvent) => {
    const target = event.target as HTMLElement;
    target.closest('a')?.closest('dialog')?.close();
    pressed = target.closest<HTMLElement>('[type=submit]') ?? pressed;
    const button = target.closest<HTMLElement>('[data-hold]');
    if (!button?.matches('[command]') || !('command' in button)) hold(event, button);
  };

  for (const sign of SIGNS) island.addEventListener(sign, wake, { passive: true });
  island.addEventListener('submit', onSubmit, true);
  island.addEventListener('click', onClick, true);
};

export default intent;
