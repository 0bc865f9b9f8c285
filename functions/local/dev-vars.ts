/** The text of .dev.vars, in dotenv's format: `NAME='value'`, a line each. */
import { Problem } from './problem.ts';

/** Sets these variables in the text, and keeps its other lines. */
export function setVariables(text: string, variables: Record<string, string>): string {
  const others = text.split('\n').filter(line => !(nameOf(line) in variables));
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${quote(name, value)}`);
  return `${[...others.join('\n').trimEnd().split('\n'), ...lines].join('\n').trimStart()}\n`;
}

const nameOf = (line: string): string => /^\s*(?:export\s+)?([\w.-]+)\s*=/.exec(line)?.[1] ?? '';

/** Puts a value in quotes that it does not contain, since the format has no way to escape one. */
function quote(name: string, value: string): string {
  const mark = ["'", '`'].find(mark => !value.includes(mark));
  if (mark === undefined) {
    throw new Problem(`${name} contains both ' and \`, which .dev.vars can't hold.`);
  }
  return `${mark}${value}${mark}`;
}

/** Returns the port of the database of this machine that the text leads to, if it does. */
export function databasePortOf(text: string): number | undefined {
  const port = /^DATABASE_URL=.*@127\.0\.0\.1:(\d+)\//m.exec(text)?.[1];
  return port === undefined ? undefined : Number(port);
}
