import type { ClientDirective } from 'astro';

const SIGNS = ['pointerover', 'pointerdown', 'focusin', 'keydown', 'input'];
const PATIENCE = 15_000; // milliseconds until a held action goes ahead without the scripts

/**
 * `client:intent` wakes an island at the first sign that somebody is about to use it.
 *
 * All scripts that the island needs are requested at once: a build lists them in `data-scripts` (src/markup).
 *
 * A submit that comes before the island is awake is held and repeated once it is. So is a click on `[data-hold]`, unless
 * the browser carries out the button's command by itself. Meanwhile the button is disabled and shows its `data-sending`,
 * and the form dispatches `held` whenever a script has arrived, so that what needs no React can start. When the scripts
 * cannot be loaded, or stall, the held action goes ahead natively: a form's own action is a real endpoint. When a script
 * breaks while it renders, the native elements come back.
 *
 * A link that is chosen in a modal closes it, awake or not: otherwise the modal would cover what the link leads to.
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
    // React must find what it rendered. It shows its own state in the same task, so nobody sees this one.
    toggleSending(held);
    // A click makes React hydrate at once; a bare requestSubmit() would run into the native action.
    held.click();
  };

  const wake = async () => {
    if (isWaking) return;
    isWaking = true;
    const urls = island.dataset['scripts']?.split(' ') ?? [];
    scripts = urls.map((url) => import(url).catch(() => {}));
    const native = [...island.childNodes];
    // React removes everything when a component throws, and with it the click that made it render.
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

  /** Holds what a button is about to do, until the island is awake. Returns whether this is the first that it holds. */
  const hold = (event: Event, button: HTMLElement | null) => {
    if (!isHolding || !button) return false;
    event.preventDefault();
    event.stopPropagation();
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
