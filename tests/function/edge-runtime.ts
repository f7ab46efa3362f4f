/** What Supabase gives a function beside Deno, preloaded: it writes a line for work that is to outlive the answer. */
const runtime = {
  waitUntil: (work: Promise<unknown>) =>
    void work.then(() => console.log('background work done'), console.error),
};

Object.assign(globalThis, { EdgeRuntime: runtime });
