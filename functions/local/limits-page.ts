/**
 * The text of functions/LIMITS.md, made from the doc comments and the values of the limits in the code. As a program
 * (`npm run limits`), writes the file.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { limits } from '../common/limits.ts';
import { admissionLimits } from '../live/admission.ts';
import { channelLimits } from '../live/channel.ts';
import { publishLimits } from '../live/publish.ts';
import { socketLimits } from '../live/socket.ts';
import { bindingLimits } from '../live/subscription.ts';
import { workLimits } from '../plan/limits.ts';

type Values = { readonly [name: string]: number | Values };

const sources: readonly (readonly [file: string, values: Values])[] = [
  ['common/limits.ts', limits],
  ['plan/limits.ts', workLimits],
  ['live/admission.ts', admissionLimits],
  ['live/socket.ts', socketLimits],
  ['live/channel.ts', channelLimits],
  ['live/subscription.ts', bindingLimits],
  ['live/publish.ts', publishLimits],
];

const introduction = `# Limits

For authors of clients: how much may a request ask for? Each error names the limit that was exceeded, and what to do instead.
The sizes of columns are in [schema/](../schema/).

Written by \`npm run limits\` from the limits in the code.
`;

export async function limitsPage(): Promise<string> {
  const sections = await Promise.all(
    sources.map(async ([file, values]) => {
      const text = await readFile(new URL(`../${file}`, import.meta.url), 'utf8');
      const part = limitsIn(text);
      if (part === undefined) {
        throw new Error(`functions/${file} has no limits, or a description of more than one line`);
      }
      return sectionsOf(part, values);
    }),
  );
  return [introduction, ...sections.flat()].join('\n');
}

/** Returns the part of a file that has its limits, with the doc comment of one line before it. */
const limitsIn = (text: string): string | undefined =>
  /(?:^\/\*\* .+ \*\/|(?<!\*\/))\n(?<part>export const \w*[lL]imits = \{.*?^\} as const;)$/ms.exec(text)?.[0];

/** A doc comment of one line, the beginning of a group, or a limit. */
const pattern =
  /^\s*(?:\/\*\* (?<comment>.+) \*\/|(?:export const \w+ = |(?<group>\w+): )(?<begins>\{)|(?<name>\w+): (?<expression>.+),)$/;

/** Returns a section for each group with a doc comment, which lists each limit with one. */
function sectionsOf(text: string, all: Values): string[] {
  const sections: { title: string | undefined; rows: string[] }[] = [];
  let values = all;
  let description: string | undefined;
  for (const line of text.split('\n').filter(line => !/^\s*(?:\/\/|$)/.test(line))) {
    if (/^\s+\/\*\*(?!.*\*\/$)/.test(line)) {
      throw new Error(`The description of a limit must be one line: ${line.trim()}`);
    }
    const { comment, group, begins, name, expression } = pattern.exec(line)?.groups ?? {};
    if (begins) {
      values = group ? (all[group] as Values) : all;
      sections.push({ title: description, rows: [] });
    } else if (name && expression && description) {
      sections.at(-1)?.rows.push(`- ${description}: ${shown(name, values[name] as number, expression)}`);
    }
    description = comment;
  }
  return sections.flatMap(({ title, rows }) => (title && rows.length > 0 ? [sectionOf(title, rows)] : []));
}

function sectionOf(description: string, rows: string[]): string {
  const [title = '', ...rest] = description.split('. ');
  const beyond = rest.length > 0 ? `${rest.join('. ')}\n\n` : '';
  return `## ${title.replace(/\.$/, '')}\n\n${beyond}${rows.join('\n')}\n`;
}

const units: readonly (readonly [constant: RegExp, size: number, unit: string])[] = [
  [/\bkib$/, 2 ** 10, ' KiB'],
  [/\bmib$/, 2 ** 20, ' MiB'],
  [/\bsecond$/, 1000, ' s'],
  [/\bminute$/, 60_000, ' min'],
  [/(?:)/, 1, ''],
];

/** Returns a value in the unit that its expression is written in. */
function shown(name: string, value: number, expression: string): string {
  const [, size, unit] = units.find(([constant]) => constant.test(expression)) ?? [/(?:)/, 1, ''];
  return `${(value / size).toLocaleString('en-US')}${name.endsWith('Seconds') ? ' s' : unit}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await writeFile(new URL('../LIMITS.md', import.meta.url), await limitsPage());
}
