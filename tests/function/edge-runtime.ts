/** Preloaded: Supabase's addition to Deno. It prints a line for work that continues after the answer. */
const runtime = {
  waitUntil: (work: Promise<unknown>) =>
    void work.then(() => console.log('background work done'), console.error),
};

Object.assign(globalThis, { EdgeRuntime: runtime });
