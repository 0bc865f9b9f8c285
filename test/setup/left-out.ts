/**
 * Prints at the end what was not run and how to run it, by reason, and what the services ran over. With CI=true, a missing
 * program fails the run.
 */
import type { Plugin } from 'vitest/config';
import type { TestCase, Vitest } from 'vitest/node';
import { isFullSize } from './full-size.ts';
import { missing, packagesOf, programs, type Tag } from './programs.ts';

/** `excluded`: files that were not loaded. */
export const sayLeftOut = (excluded: string[]): Plugin => ({
  name: 'say-left-out',
  configureVitest({ vitest, project }) {
    // Every project has this plugin, and one of them is enough.
    if (project === vitest.projects[0]) {
      vitest.onClose(() => report(vitest, excluded));
    }
  },
});

const atFullSize = '(npm run test:full, or FULL_SIZE=1 npm test -- <part of a path>)';

function report({ state, projects }: Vitest, excluded: string[]): void {
  const skipped = state.getTestModules().flatMap(({ children }) => [...children.allTests('skipped')]);
  const full = skipped.filter(({ tags }) => !isFullSize && tags.includes('full'));
  const rest = skipped.filter(test => !full.includes(test));
  const lacking = rest.filter(test => lacks(test).length > 0);
  const others = rest.filter(test => !lacking.includes(test));
  const needed = missing.filter(tag => lacking.some(test => lacks(test).includes(tag)));
  const titles = needed.map(tag => programs[tag].title).join(', ');
  const reasons: [tests: TestCase[], why: string][] = [
    [full, `of the full size ${atFullSize}`],
    [lacking, `without ${titles} (apt-get install ${packagesOf(needed)})`],
    [others, 'excluded by -t or .only, or not for this system'],
  ];
  for (const [{ length }, why] of reasons.filter(([tests]) => tests.length > 0)) {
    console.log(`Not run: ${length} ${length === 1 ? 'test' : 'tests'} ${why}`);
  }
  if (excluded.length > 0) {
    console.log(
      `Not loaded: ${excluded.length} files that import packages of test/package.json ${atFullSize}`,
    );
  }
  const port = projects.map(project => project.getProvidedContext().hyperdrivePort).find(Number.isInteger);
  if (port !== undefined) {
    console.log(port > 0 ? 'The service ran as deployed, over PgBouncer.' : overPool);
  }
  if (lacking.length > 0 && process.env['CI'] === 'true') {
    console.error('With CI=true no test may be left out for a missing program.');
    process.exitCode = 1;
  }
}

const overPool =
  'The service ran in one worker over its pool, not as deployed, which needs PgBouncer: apt-get install pgbouncer';

const lacks = ({ tags }: TestCase): Tag[] => missing.filter(tag => tags.includes(tag));
