/** `*.test.ts` need no database; `*.service.test.ts` share one Postgres, one PgBouncer and the bundles of the workers. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { installPackages } from './install.ts';
import { isFullSize } from './setup/full-size.ts';
import { sayLeftOut } from './setup/left-out.ts';
import { LongestFirst } from './setup/longest-first.ts';
import { missing, programs } from './setup/programs.ts';
import everyday from './tsconfig.everyday.json' with { type: 'json' };

if (isFullSize || process.env['POSTGRES']) {
  await installPackages();
}

/** Files that import packages of test/package.json are not even loaded otherwise. */
const excluded = isFullSize
  ? []
  : everyday.exclude.filter(path => path.endsWith('.test.ts')).map(path => `test/${path}`);

export default defineConfig({
  plugins: [sayLeftOut(excluded)],
  test: {
    root: fileURLToPath(new URL('../', import.meta.url)),
    pool: 'forks',
    teardownTimeout: 20_000,
    // Most files wait for a database or for time: so many at once keep two cores busy. Faults at full size take more of them.
    maxWorkers: isFullSize ? 5 : 6,
    // Tests that say they are concurrent only wait.
    maxConcurrency: 20,
    sequence: { sequencer: LongestFirst },
    // Files share a process: modules are loaded once, and the usual service is started once.
    isolate: false,
    // What is polled for comes late on a busy machine.
    expect: { poll: { timeout: 20_000 } },
    // Only what hangs takes so long: on a busy machine a program may take a minute to start, and a bundle two.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // A tag that says `skip: false` would undo another tag's `skip: true`.
    tags: [
      ...Object.entries(programs).map(([name, { title }]) => ({
        name,
        description: `drives ${title}`,
        ...(missing.some(tag => tag === name) && { skip: true }),
      })),
      { name: 'full', description: 'runs only at full size', ...(!isFullSize && { skip: true }) },
      {
        name: 'live',
        description:
          'listens, on a machine that may be too busy to read what a page is sent; then it must read again',
        retry: { count: 2, condition: /changes were missed: read again/ },
      },
    ],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          setupFiles: fileURLToPath(new URL('setup/seed.ts', import.meta.url)),
          include: ['test/**/*.test.ts'],
          exclude: ['test/**/*.service.test.ts', 'test/node_modules', ...excluded],
        },
      },
      {
        extends: true,
        test: {
          name: 'service',
          include: ['test/**/*.service.test.ts'],
          exclude: ['test/node_modules', ...excluded],
          globalSetup: fileURLToPath(new URL('setup/global.ts', import.meta.url)),
          setupFiles: ['seed', 'keep-alive'].map(name =>
            fileURLToPath(new URL(`setup/${name}.ts`, import.meta.url)),
          ),
        },
      },
    ],
  },
});
