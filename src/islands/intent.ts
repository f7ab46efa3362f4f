import type { ClientDirective } from 'astro';

const SIGNS = ['pointerover', 'pointerdown', 'focusin', 'keydown', 'input'];
const PATIENCE = 15_000; // milliseconds until a held action goes ahead without the script

/**
 * `client:intent`: wakes an island at the first sign that somebody is about to use it.
 *
 * A submit that comes before the island is awake is held and done again once it is. So is a click on `[data-hold]`,
 * unless the browser carries the button's command out itself. When the script cannot be loaded, or stalls, the held
 * action goes ahead natively: a form's own action is a real endpoint. When the script breaks while it draws, the native
 * elements come back.
 *
 * A link that is chosen in a modal closes it, awake or not: links are never held, and the modal would lie over the place.
 */
const intent: ClientDirective = (load, _options, island) => {
  let held: HTMLElement | undefined;
  let pressed: HTMLElement | undefined;
  let isHolding = true;
  let isWaking = false;

  const release = () => {
    if (!isHolding) return;
    isHolding = false;
    // A click makes React hydrate at once; a bare requestSubmit() would run into the native action.
    held?.click();
  };

  const wake = async () => {
    if (isWaking) return;
    isWaking = true;
    const native = [...island.childNodes];
    // React takes everything away when a component throws, and with it the click that made it draw.
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

  const hold = (event: Event) => {
    const target = event.target as HTMLElement;
    target.closest('a')?.closest('dialog')?.close();
    pressed = target.closest<HTMLElement>('[type=submit]') ?? pressed;
    if (!isHolding || target.matches('[method=dialog]')) return;
    const action =
      event.type === 'submit'
        ? ((event as SubmitEvent).submitter ?? target.querySelector('button'))
        : target.closest<HTMLElement>('[data-hold]');
    if (!action || (action.matches('[command]') && 'command' in action)) return;
    event.preventDefault();
    event.stopPropagation();
    if (!held) setTimeout(release, PATIENCE);
    held = action;
    void wake();
  };

  for (const sign of SIGNS) island.addEventListener(sign, wake, { passive: true });
  for (const type of ['submit', 'click']) island.addEventListener(type, hold, true);
};

export default intent;
