import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { writeWelcome } from '../src/build/welcome-email.ts';

const root = resolve(import.meta.dirname, '..');

// Most tests start Node programs, which load faster from compiled code.
process.env['NODE_COMPILE_CACHE'] ??= resolve(root, 'node_modules/.cache/node');

// The functions and the site import it.
await writeWelcome();

export default defineConfig({
  root,
  resolve: { alias: { '~': resolve(root, 'src') } },
  test: {
    // Builds and stacks spend time waiting, so three at a time keep two cores busy.
    maxWorkers: 3,
    // Pictures read the style sheet of the tokens.
    css: true,
    reporters: ['default', ['json', { outputFile: 'tests/results/vitest.json' }]],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          // They need no process of their own, which would spend half of its time on loading modules.
          isolate: false,
          sequence: { groupOrder: 0 },
          include: ['tests/unit/**/*.test.{ts,tsx}'],
          // Many check a copy of all content. Each takes a tenth of a second, but several seconds on a busy machine.
          testTimeout: 30_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'database',
          sequence: { groupOrder: 1 },
          include: ['tests/database/**/*.test.ts'],
          globalSetup: 'tests/database/start-database.ts',
          testTimeout: 30_000,
          // As long as a data API may take to start.
          hookTimeout: 30_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'parts',
          // After the unit tests, because builds and stacks write the rendered email, which some unit tests read.
          sequence: { groupOrder: 1 },
          include: ['tests/{functions,pages,ops}/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
