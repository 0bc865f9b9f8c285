/**
 * Every regular expression in the workers runs in linear time, whatever the text.
 *
 * @module-tag full
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkSync } from 'recheck';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { parseAst } from 'vitest/node';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const paths = ['functions', 'schema']
  .flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true }).map(name => join(folder, `${name}`)),
  )
  .filter(path => path.endsWith('.ts') && !/^functions\/(?:demo|local|operate)\//.test(path));

interface Expression {
  path: string;
  pattern: string;
  flags: string;
}

/** The regular expression literals in a program's syntax tree, and the calls that build one from a string. */
function findExpressions(path: string, text: string): { literals: Expression[]; calls: string[] } {
  const literals: Expression[] = [];
  const calls: string[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null || node instanceof RegExp) return;
    const { regex, callee, start, end } = node as Record<string, unknown>;
    if (regex) literals.push({ path, ...(regex as { pattern: string; flags: string }) });
    if ((callee as { name?: string } | undefined)?.name === 'RegExp') {
      calls.push(`${path}: ${text.slice(Number(start), Number(end))}`);
    }
    Object.values(node).forEach(visit);
  };
  visit(parseAst(text, { lang: 'ts' }));
  return { literals, calls };
}

/** The complexity by the length of the text, or why it is unknown. */
function complexityOf({ pattern, flags }: Expression): string {
  const checked = checkSync(pattern, flags, { checker: 'automaton', timeout: null });
  return checked.status === 'unknown' ? `not known: ${checked.error.kind}` : checked.complexity.type;
}

const isLinear = (complexity: string): boolean => ['linear', 'safe'].includes(complexity);

const found = paths.map(path => findExpressions(path, readFileSync(join(root, path), 'utf8')));

beforeAll(() => {
  // Use the JavaScript implementation instead of the native programs that the package has for some systems.
  vi.stubEnv('RECHECK_SYNC_BACKEND', 'pure');
  return () => vi.unstubAllEnvs();
});

describe('a regular expression', () => {
  const literals = found.flatMap(({ literals }) => literals);
  const named = new Map(literals.map(one => [`${one.path} /${one.pattern}/${one.flags}`, one]));

  it.each([...named])('takes linear time: %s', (_, expression) => {
    expect(complexityOf(expression)).toSatisfy(isLinear);
  });

  it('is never built from a string, which this test could not check', () => {
    expect(literals.length).toBeGreaterThan(50);
    expect(found.flatMap(({ calls }) => calls)).toEqual([]);
  });
});
