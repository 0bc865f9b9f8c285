/** Prints a last line about tests that were left out because programs are missing. With CI=true that fails the run. */
import type { Plugin } from 'vitest/config';
import type { Vitest } from 'vitest/node';
import { missing, packagesOf, programs } from './programs.ts';

export const sayLeftOut = (): Plugin => ({
  name: 'say-left-out',
  configureVitest({ vitest, project }) {
    // Every project has this plugin, and one of them is enough.
    if (project === vitest.projects[0]) {
      vitest.onClose(() => report(vitest));
    }
  },
});

function report({ state }: Vitest): void {
  const skipped = state
    .getTestModules()
    .flatMap(({ children }) => [...children.allTests('skipped')])
    // Tests of the full size would not have run anyway.
    .filter(({ tags }) => process.env['FULL_SIZE'] === '1' || !tags.includes('full'))
    .map(({ tags }) => missing.filter(tag => tags.includes(tag)))
    .filter(lacking => lacking.length > 0);
  if (skipped.length === 0) {
    return;
  }
  const lacking = missing.filter(tag => skipped.some(some => some.includes(tag)));
  const titles = lacking.map(tag => programs[tag].title).join(', ');
  const count = skipped.length === 1 ? '1 test was' : `${skipped.length} tests were`;
  console.log(`${count} left out. Missing: ${titles}. To install: apt-get install ${packagesOf(lacking)}`);
  if (process.env['CI'] === 'true') {
    console.error('With CI=true no test may be left out.');
    process.exitCode = 1;
  }
}
