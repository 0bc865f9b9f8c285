/** functions/LIMITS.md is written by hand, and says what the code says. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { limits } from '../functions/common/limits.ts';
import { channelLimits } from '../functions/live/channel.ts';
import { liveLimits } from '../functions/live/live-limits.ts';
import { socketLimits } from '../functions/live/live-socket.ts';
import { publishLimits } from '../functions/live/read-changes.ts';
import { bindingLimits } from '../functions/live/subscription.ts';
import { workLimits } from '../functions/rest/plan/plan-limits.ts';
import { filesIn, root } from './setup/files.ts';

const page = readFileSync(join(root, 'functions/LIMITS.md'), 'utf8');

type Values = { readonly [name: string]: number | Values };
const inCode: Values = {
  limits,
  workLimits,
  liveLimits,
  socketLimits,
  channelLimits,
  bindingLimits,
  publishLimits,
};

const units: Record<string, number> = { KiB: 2 ** 10, MiB: 2 ** 20, s: 1000, min: 60_000 };

/** The rows of the page: what a limit is about, its value with a unit, and its name in the code. */
const rows = [...page.matchAll(/^- (.+): \*\*([\d,]+) ?(\w*)\*\*.* \(`([\w.]+)`\)$/gm)].map(
  ([, what = '', value = '', unit = '', name = '']) => ({
    what,
    name,
    // Names with "Seconds" are of numbers of seconds; other times are milliseconds.
    value: Number(value.replaceAll(',', '')) * (name.endsWith('Seconds') ? 1 : (units[unit] ?? 1)),
  }),
);

const valueInCode = (name: string) =>
  name.split('.').reduce<number | Values | undefined>((values, key) => (values as Values)?.[key], inCode);

it.each(rows)('functions/LIMITS.md has the value of the code: $name, $what', ({ name, value }) => {
  expect(valueInCode(name)).toBe(value);
});

it('functions/LIMITS.md has a limit once, in a row that is compared with the code', () => {
  expect(rows.length).toBe(page.split('\n').filter(line => line.startsWith('- ')).length);
  expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
  expect(rows.length).toBeGreaterThan(30);
});

it('functions/LIMITS.md names every file with limits', () => {
  const files = filesIn('functions').filter(path =>
    /^(?:export )?const \w*[lL]imits = \{$/m.test(readFileSync(join(root, path), 'utf8')),
  );
  const linked = [...page.matchAll(/\[[\w/.-]+\]\(([\w/.-]+\.ts)\)/g)].map(([, path]) => `functions/${path}`);
  expect(linked.sort()).toEqual(files.filter(path => !/^functions\/(?:local|operate)\//.test(path)).sort());
});
