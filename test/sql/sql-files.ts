/** What the files of sql/ make, a text for each function, trigger, view, policy, constraint and grant. */
import { readdir, readFile } from 'node:fs/promises';
import { sqlFolder } from './empty-database.ts';

/** Returns the texts of all files, with those that are in several files several times. */
export async function madeByFiles(): Promise<string[]> {
  const texts = await Promise.all(
    ['migrations/', 'code/'].map(async part => {
      const folder = new URL(part, sqlFolder);
      const names = (await readdir(folder)).filter(name => name.endsWith('.sql'));
      return Promise.all(names.map(name => readFile(new URL(name, folder), 'utf8')));
    }),
  );
  return texts.flat().flatMap(text => [...statementsOf(text).flatMap(madeBy), ...membershipsOf(text)]);
}

/** The memberships of roles that a block creates with the role. */
const membershipsOf = (text: string): string[] =>
  [...text.matchAll(/create role (\w+) [\w ]*in role ([^;]*);/g)].flatMap(([, member, roles]) =>
    listOf(roles).map(role => `grant ${role} to ${member}`),
  );

/** The statements of a file, each in one line, without comments and with empty literals. */
function statementsOf(text: string): string[] {
  return text
    .replace(/--.*|\$(\w*)\$[\s\S]*?\$\1\$|'(?:[^']|'')*'/g, found => (found.startsWith('--') ? '' : "''"))
    .split(';')
    .map(statement => statement.replace(/\s+/g, ' ').trim());
}

const patterns: readonly (readonly [RegExp, (found: RegExpExecArray) => string[]])[] = [
  [
    /^create (?:or replace )?function (\S+?)\((.*?)\) (?:returns|language) /,
    ([, name = '', args = '']) => [functionOf(name, args)],
  ],
  [
    /^create (?:or replace )?trigger (\S+) .*? on (\S+)/,
    ([, name, table]) => [`trigger ${name} on ${table}`],
  ],
  [/^create (?:or replace )?view (\S+)/, ([, name]) => [`view ${name}`]],
  [/^create policy (\S+) on (\S+)/, ([, name, table]) => [`policy ${name} on ${table}`]],
  [
    /^(?:create|alter) table (\S+)(.*)/,
    ([, table, rest = '']) =>
      [...rest.matchAll(/ (?:add )?constraint (\w+)/g)].map(([, name]) => `constraint ${name} on ${table}`),
  ],
  [/^grant (?<what>.*?) on (?<target>.*) to (?<roles>.*)/, ({ groups = {} }) => grantsOf(groups)],
  [
    /^grant (?<what>(?:(?! on ).)*) to (?<roles>.*)/,
    ({ groups = {} }) =>
      listOf(groups['what']).flatMap(role => listOf(groups['roles']).map(to => `grant ${role} to ${to}`)),
  ],
];

function madeBy(statement: string): string[] {
  for (const [pattern, make] of patterns) {
    const found = pattern.exec(statement);
    if (found) {
      return make(found);
    }
  }
  return [];
}

/** A function is named by its parameters without their names and without those that are results. */
function functionOf(name: string, args: string): string {
  const types = listOf(args)
    .filter(arg => !arg.startsWith('out '))
    .map(arg => arg.replace(/^\S+ | default .*/g, ''));
  return `function ${name}(${types.join()})`;
}

function grantsOf({ what, target = '', roles }: { [part: string]: string | undefined }): string[] {
  const [, kind = '', objects] = /^(function |schema |sequence |type )?(.*)/.exec(target) ?? [];
  const privileges = listOf(what).flatMap(privilege => {
    const [, action = '', columns] = /^(\w+)(?: \((.*)\))?/.exec(privilege) ?? [];
    return columns ? listOf(columns).map(column => `${action} (${column})`) : [action];
  });
  return listOf(objects).flatMap(object =>
    privileges.flatMap(privilege =>
      listOf(roles).map(role => `grant ${privilege} on ${kind}${object.replaceAll(', ', ',')} to ${role}`),
    ),
  );
}

/** Splits at commas that are not in parentheses. */
const listOf = (text = ''): string[] =>
  text
    .split(/,(?![^(]*\))/)
    .map(part => part.trim())
    .filter(part => part !== '');
