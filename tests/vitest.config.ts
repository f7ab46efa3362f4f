import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

const root = resolve(import.meta.dirname, '..');

export default defineConfig({
  root,
  resolve: { alias: { '~': resolve(root, 'src') } },
  test: {
    // Builds and stacks wait more than they work: two at a time fill two cores.
    maxWorkers: 2,
    // Pictures are drawn with the style sheet of the tokens.
    css: true,
    reporters: ['default', ['json', { outputFile: 'tests/results/vitest.json' }]],
    projects: [
      {
        extends: true,
        test: { name: 'unit', sequence: { groupOrder: 0 }, include: ['tests/unit/**/*.test.{ts,tsx}'] },
      },
      {
        extends: true,
        test: {
          name: 'database',
          // After the units, one file after the other: all of them use one database.
          sequence: { groupOrder: 1 },
          maxWorkers: 1,
          include: ['tests/database/**/*.test.ts'],
          globalSetup: 'tests/database/start-database.ts',
          testTimeout: 30_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'parts',
          // After the units: builds and stacks renew the rendered e-mail, which some units read.
          sequence: { groupOrder: 2 },
          include: ['tests/{function,build,local,deploy}/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
