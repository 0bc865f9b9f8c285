/** What a request may cost is said once, in functions/common/limits.ts and in the limits.ts of a folder. */
import { readdirSync, readFileSync } from 'node:fs';
import { STATUS_CODES } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { parseAst } from 'vitest/node';
import { limits } from '../../functions/common/limits.ts';
import { jsonObject } from '../../schema/json-types.ts';
import { price } from '../../schema/types.ts';

const folder = fileURLToPath(new URL('../../functions/', import.meta.url));

/** Numbers that bound no request, by the file they stand in. */
const exceptions: Record<string, { numbers: number[]; since: string }> = {
  'database/connection.ts': {
    numbers: [16, 20, 21, 23, 114, 700, 701, 1082, 1114, 1184, 1700, 3802],
    since: 'Postgres identifies its types by these',
  },
  'database/reply-reader.ts': {
    numbers: [5, 18, 0x10000, 0xffffffff],
    since: 'lengths of parts of Postgres’s messages, and numbers of more than two bytes',
  },
  'database/socket.ts': { numbers: [210, 22, 47], since: 'bytes of a message of Postgres’s protocol' },
  'delivery/retry-schedule.ts': {
    numbers: [10, 12, 14, 15, 20, 24, 30, 60],
    since: 'the schedule of Standard Webhooks, and one that fits greylisting',
  },
  'delivery/smtp-outcome.ts': {
    numbers: [20],
    since: 'letters of a word, so that it is read in linear time',
  },
  'delivery/webhook-reason.ts': { numbers: [8, 24], since: 'characters from which on a word may be a key' },
  'delivery/webhook-secret.ts': { numbers: [24, 32, 64], since: 'bytes of a key, of Standard Webhooks' },
  'delivery/webhook-url.ts': { numbers: [61, 253], since: 'characters of names, of RFC 1035' },
  'delivery/relay.ts': { numbers: [25, 465, 587], since: 'the ports of SMTP' },
  'delivery/unsubscribe.ts': { numbers: [36, 42], since: 'characters of a uuid and of an HMAC' },
  'live/filter.ts': {
    numbers: [12, 32, 64],
    since: 'digits of a uuid, and bits of Postgres’s integers',
  },
  'live/objects.ts': { numbers: [0x811c9dc5, 0x01000193], since: 'the FNV-1a hash' },
  'live/socket.ts': { numbers: [1008, 1009], since: 'close codes of RFC 6455' },
  'log/log.ts': { numbers: [10], since: 'times are rounded to tenths of a millisecond' },
  'admission/large-response.ts': { numbers: [0xd800, 0xdc00], since: 'where surrogates begin in UTF-16' },
  'plan/time-zone.ts': { numbers: [14, 39, 60], since: 'hours, minutes and names that zones have' },
  'plan/work.ts': { numbers: [20], since: 'what folding a text’s case costs beside a pattern’s characters' },
  'request/entity-tags.ts': { numbers: [10], since: 'digits of a transaction’s number' },
  'request/field.ts': { numbers: [2 ** 31 - 1], since: 'the largest index Postgres counts to' },
  'request/preferences.ts': { numbers: [15], since: 'digits that JavaScript counts exactly' },
  'request/range.ts': { numbers: [2 ** 50], since: 'more rows than any table has' },
  'request/trace-parent.ts': { numbers: [16, 32], since: 'digits of the ids of W3C Trace Context' },
  'response/etag.ts': {
    numbers: [15, 36, 0x811c9dc5, 0x01000193],
    since: 'the FNV-1a hash, and the length of a tag',
  },
  'statement/response-body.ts': { numbers: [4, 6, 10], since: 'bytes that JSON puts around a value' },
  'token/fragment.ts': { numbers: [43, 86, 342], since: 'characters of signatures' },
  'token/trusted.ts': { numbers: [32], since: 'a minimum, of RFC 7518' },
};

interface Node {
  type: string;
  start: number;
  [field: string]: unknown;
}
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

const operations: Record<string, (a: number, b: number) => number> = {
  '*': (a, b) => a * b,
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '/': (a, b) => a / b,
  '**': (a, b) => a ** b,
  '<<': (a, b) => a << b,
};

/** The number that an expression of numbers alone is. */
function numberOf(node: unknown): number | undefined {
  if (!isNode(node)) {
    return undefined;
  }
  if (node.type === 'Literal') {
    return typeof node['value'] === 'number' ? node['value'] : undefined;
  }
  const [left, right] = [numberOf(node['left']), numberOf(node['right'])];
  const operation = operations[String(node['operator'])];
  return left === undefined || right === undefined ? undefined : operation?.(left, right);
}

/** A status stands beside the word, but where a folder's files have tables of them. */
const isStatus = (number: number, parent: Node, path: string): boolean =>
  number in STATUS_CODES &&
  (/^(failure|openapi|response)\//.test(path) ||
    [parent['key'], parent['left'] && (parent['left'] as Node)['property']].some(
      named => isNode(named) && named['name'] === 'status',
    ));

/** 1000 as the milliseconds of a second that something else is counted in. */
const isConversion = (number: number, parent: Node): boolean =>
  number === 1000 && parent.type === 'BinaryExpression' && /^[*/]$/.test(String(parent['operator']));

/** A number that is the whole of a constant or of a property, as a limit of a few would be. */
const isNamed = (parent: Node): boolean => /^(VariableDeclarator|Property)$/.test(parent.type);

/** How often something is repeated at most, of a regular expression. */
const repetitionsIn = (pattern: string): number[] =>
  [...pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].map(([, from, to]) => Number(to || from));

/** `at most 255 bytes` */
const countInWords = /\b\d[\d,.]* (?:\w+ ){0,2}(?:bytes|characters|letters|digits|seconds|minutes|rows)\b/;

/** The numbers of a file that may be limits. */
function numbersIn(path: string): { number: number | string; at: number }[] {
  const found: { number: number | string; at: number }[] = [];
  const visit = (node: Node, parent: Node): void => {
    const number = numberOf(node);
    if (number !== undefined) {
      const isLarge = number >= 10 || (number >= 2 && isNamed(parent));
      if (isLarge && !isStatus(number, parent, path) && !isConversion(number, parent)) {
        found.push({ number, at: node.start });
      }
      return;
    }
    const { regex, value } = node as { regex?: { pattern: string }; value?: { cooked?: string } };
    for (const times of regex ? repetitionsIn(regex.pattern) : []) {
      found.push(...(times >= 10 ? [{ number: times, at: node.start }] : []));
    }
    const text = node.type === 'TemplateElement' ? value?.cooked : value;
    const counted = typeof text === 'string' ? countInWords.exec(text)?.[0] : undefined;
    if (counted !== undefined) {
      found.push({ number: counted, at: node.start });
    }
    for (const child of Object.values(node).flat().filter(isNode)) {
      visit(child, node);
    }
  };
  const program = parseAst(readFileSync(join(folder, path), 'utf8'), { lang: 'ts' }) as unknown as Node;
  visit(program, program);
  return found;
}

const paths = readdirSync(folder, { recursive: true })
  .map(String)
  .filter(path => path.endsWith('.ts') && !path.startsWith('local/') && !path.endsWith('/limits.ts'));

describe('a number that may be a limit', () => {
  it('stands in no other file of the service', () => {
    const others = paths.flatMap(path =>
      numbersIn(path)
        .filter(({ number }) => !exceptions[path]?.numbers.some(other => other === number))
        .map(({ number, at }) => {
          const before = readFileSync(join(folder, path), 'utf8').slice(0, at);
          return `functions/${path}:${before.split('\n').length} has ${number}`;
        }),
    );
    expect(others).toEqual([]);
  });

  it.each(Object.entries(exceptions))('is excepted in %s only while it is there', (path, { numbers }) => {
    const found = numbersIn(path).map(({ number }) => number);
    expect(numbers.filter(number => !found.includes(number))).toEqual([]);
  });
});

describe('the schema', () => {
  it('takes a JSON object as large as a body', () => {
    expect(jsonObject.maxBytes).toBe(limits.body.bytes);
  });

  it('takes a number as long as one in a body', () => {
    const zeros = (length: number) => '0'.repeat(length);
    expect(v.is(price.format, zeros(limits.body.numberLength))).toBe(true);
    expect(v.is(price.format, zeros(limits.body.numberLength + 1))).toBe(false);
    expect(v.is(price.format, `1e-${'9'.repeat(limits.body.exponentDigits)}`)).toBe(true);
    expect(v.is(price.format, `1e-${'9'.repeat(limits.body.exponentDigits + 1)}`)).toBe(false);
  });
});

describe('the times', () => {
  const { database, hyperdrive, pool, body, response, memory } = limits;

  it('let a statement end before the deadline of its message, and before its lease', () => {
    expect(database.deadline).toBeGreaterThan(database.statementTimeout);
    expect(hyperdrive.term).toBeGreaterThan(database.statementTimeout);
  });

  it('let a large body and a large response keep their memory for as long as they need it', () => {
    const request = pool.acquireTimeout + database.deadline + database.retryWithin;
    expect(memory.term).toBeGreaterThan(body.arrivalSeconds * 1000 + 2 * request);
    expect(memory.term).toBeGreaterThan(response.readSeconds * 1000 + request);
  });
});
