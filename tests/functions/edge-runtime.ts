/** Preloaded in place of what Supabase adds to Deno. Prints a line for work that continues after the answer. */
const runtime = {
  waitUntil: (work: Promise<unknown>) =>
    void work.then(() => console.log('background work done'), console.error),
};

Object.assign(globalThis, { EdgeRuntime: runtime });
