/** The limits that clients reach. `npm test -- test/limits-page -u` writes functions/LIMITS.md from the comments beside the figures. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from './setup/files.ts';

const sections: Record<string, string[]> = {
  'Requests and responses': ['common/limits.ts', 'rest/plan/plan-limits.ts', 'offer/answer.ts'],
  'Live updates': [
    'live/live-limits.ts',
    'live/live-socket.ts',
    'live/channel.ts',
    'live/subscription.ts',
    'live/read-changes.ts',
  ],
};

const units: Record<string, string> = {
  kib: ' KiB',
  mib: ' MiB',
  second: ' s',
  minute: ' min',
  Seconds: ' s',
};

/** Returns the figure of a number with its unit: `4 * kib` is 4 KiB, `minute` 1 min, and 10 of a name with `Seconds` 10 s. */
function figureOf(name: string, expression: string): string {
  const [, number = '1', unit = /Seconds$/.exec(name)?.[0] ?? ''] =
    /^([\d_]+)?(?: \* )?(\w+)?$/.exec(expression) ?? [];
  return Number(number.replaceAll('_', '')).toLocaleString('en') + (units[unit] ?? '');
}

/** Returns the limits of a file that have a doc comment, behind that of their group. */
function limitsOf(path: string): string {
  const text = readFileSync(join(root, 'functions', path), 'utf8');
  const [object = ''] =
    /(?:\/\*\*[^\n]*\*\/\n)?export const \w*imits = \{.*?^\} as const;/ms.exec(text) ?? [];
  const commented = /\/\*\* (.*) \*\/\n(?:\s*\/\/.*\n)*\s*(?:export const )?(\w+)(?:: | = )(?:\{|(.+),)$/gm;
  return [...object.matchAll(commented)]
    .map(([, what = '', name = '', value]) =>
      value === undefined ? `\n${what}\n\n` : `- ${what}: **${figureOf(name, value)}**\n`,
    )
    .join('');
}

it('each limit that clients reach has its figure on the page: functions/LIMITS.md', async () => {
  const parts = Object.entries(sections).map(
    ([title, paths]) => `\n## ${title}\n${paths.map(limitsOf).join('')}`,
  );
  const page = `# Limits

For authors of clients: how much may a request ask for? Each error names its limit, and what to do instead. A test writes this page.
${parts.join('')}`;
  await expect(page).toMatchFileSnapshot('../functions/LIMITS.md');
});
