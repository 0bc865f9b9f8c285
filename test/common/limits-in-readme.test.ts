/** The README's tables tell the limits that functions/common/limits.ts and functions/live/limits.ts set. */
import { describe, expect, it } from 'vitest';
import { limits } from '../../functions/common/limits.ts';
import { liveLimits as live } from '../../functions/live/limits.ts';
import { readmes } from '../setup/readmes.ts';

/** What stands under a heading of any README, up to the next one. */
function sectionOf(heading: string): string {
  const sections = readmes
    .flatMap(({ text }) => text.split(/^(?=#+ )/m))
    .filter(section => new RegExp(`^#+ ${heading}\\n`).test(section));
  if (sections.length !== 1) {
    throw new Error(`${sections.length} sections of the READMEs are headed ${heading}`);
  }
  return sections[0] ?? '';
}

/** The rows of a section's table, by the first cell, which is not in `code` here. */
const rowsOf = (section: string): [name: string, told: string, otherwise: string][] =>
  section
    .split('\n')
    .filter(line => /^\|(?!---)/.test(line))
    .slice(1)
    .map(line => {
      const [name = '', told = '', otherwise = ''] = line
        .split(/(?<!\\)\|/)
        .slice(1)
        .map(cell => cell.trim());
      return [name.replaceAll('`', ''), told, otherwise];
    });

/** Every number of a text, with its unit where that is of time or of memory. */
const numbersIn = (text: string): string[] =>
  text.match(/(?<![\w.,])\d+(?:,\d{3})*(?:\.\d+)?(?: (?:KiB|MiB|KB|ms|s|bits)\b)?/g) ?? [];

const count = (number: number): string => number.toLocaleString('en-US');
const inMib = (bytes: number): string => count(bytes / 2 ** 20);
const mib = (bytes: number): string => `${inMib(bytes)} MiB`;
const kib = (bytes: number): string => `${count(bytes / 2 ** 10)} KiB`;
const inKib = (bytes: number): string => count(bytes / 2 ** 10);
const milliseconds = (number: number): string => `${count(number)} ms`;
const seconds = (milliseconds: number): string => `${count(milliseconds / 1000)} s`;

const { request, rate, query, search, body, response, memory, largeColumn, idempotency } = limits;

/** By the first cell of a row, the numbers in its first two. */
const told: Record<string, string[]> = {
  requests: [count(rate.account), `${rate.periodSeconds} s`, count(rate.address), '64 bits'],
  'the address': [count(request.url), '16 KiB'],
  'a header that is read': [count(request.header), count(request.idempotencyKey), '128 KB'],
  'a query': [
    query.filters,
    query.treeLevels,
    query.listValues,
    query.outputs,
    query.orderTerms,
    query.listedColumns,
    query.casts,
    query.jsonSteps,
    query.nameBytes,
    query.scalar,
    query.exponent,
  ].map(count),
  'a search': [
    search.textSearches,
    search.parentheses,
    search.negations,
    search.regexes,
    search.regexSymbols,
    search.regexAnchors,
    search.patternWork,
    search.containedElements,
  ].map(count),
  customization: [count(largeColumn.reads)],
  'a body': [
    mib(body.bytes),
    ...[
      body.rows,
      body.levels,
      body.lists,
      body.values,
      body.numberLength,
      body.exponentDigits,
      body.columns,
    ].map(count),
  ],
  [`bodies over ${kib(body.smallBytes)}`]: [
    kib(body.smallBytes),
    mib(body.inMemory.ofAll),
    inMib(body.inMemory.ofCaller),
    seconds(memory.acquireTimeout),
  ],
  'a response': [
    count(response.rows),
    mib(response.bytes),
    inMib(response.sortedBytes),
    mib(response.rowBytes),
  ],
  [`responses over ${kib(response.smallBytes)}`]: [
    kib(response.smallBytes),
    mib(response.inMemory.ofAll),
    inMib(response.inMemory.ofCaller),
    `${response.readSeconds} s`,
    seconds(memory.acquireTimeout),
  ],
  'Idempotency-Keys': [
    count(idempotency.keysOfCustomer),
    count(idempotency.bodiesOfCaller),
    kib(idempotency.bodyBytes),
  ],
  'quote numbers': [count(limits.quoteNumbers.ofCustomer)],
  'sockets of live updates': [
    ...[live.sockets, live.socketsOfCaller, live.socketsOfNetwork].map(count),
    ...[live.unjoined, live.unjoinedOfNetwork].map(count),
    ...[seconds(live.joinTimeout), seconds(live.waitFor)],
  ],
  channels: [
    ...[live.channels, live.channelsOfUser, live.bindings, live.bindingsOfUser].map(count),
    ...[inKib(live.bindingsLength), kib(live.bindingsLengthOfUser)],
    ...[live.conditionsOfCaller, live.selectionsOfCaller].map(count),
    ...[live.topic, live.ref].map(count),
  ],
  'messages of a socket': [
    ...[kib(live.message), count(live.messagesBeforeJoin), kib(live.charactersBeforeJoin)],
    count(live.refusedJoins),
    ...[count(live.messages), seconds(live.messagesWithin)],
    ...[live.messagesOfChannel, live.messagesOfUser].map(count),
  ],
  'changes that are sent': [
    ...[mib(live.bytesOfUserWithin), seconds(live.bytesWindow), mib(live.bytesWithin)],
    ...[mib(live.bytesOfSocket), mib(live.bytesOfUser), kib(live.recordBytes)],
    ...[live.callerShare, live.aloneTime].map(milliseconds),
  ],
  'the database': [seconds(limits.database.statementTimeout)],
};

describe('the table of limits', () => {
  const rows = rowsOf(sectionOf('Limits'));

  it('has a row for each kind of limit, and no other row', () => {
    expect(rows.map(([name]) => name)).toEqual(Object.keys(told));
  });

  it.each(Object.entries(told))('says of %s every number as it is', (name, numbers) => {
    const row = rows.find(([other]) => other === name);
    expect(numbersIn(`${row?.[0]} ${row?.[1]}`)).toEqual(numbers);
  });

  it('says when too many requests may be tried again', () => {
    const otherwise = rows.find(([name]) => name === 'requests')?.[2];
    expect(otherwise).toContain(`Retry-After: ${rate.periodSeconds}`);
  });
});

describe('what a request costs', () => {
  const section = sectionOf('What a request costs').replace(/\s+/g, ' ');

  it.each([
    `the database's timeout of ${seconds(limits.database.statementTimeout)}`,
    `sixty bodies of ${mib(body.bytes)}`,
    `${mib(body.inMemory.ofAll)} of them at once`,
    `at ${mib(response.bytes)}`,
    `The first message returns at most ${kib(response.smallBytes)}`,
  ])('says: %s', phrase => {
    expect(section).toContain(phrase);
  });
});
