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
import { answerLimits } from '../functions/offer/answer.ts';
import { workLimits } from '../functions/rest/plan/plan-limits.ts';
import { root } from './setup/files.ts';

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
  answerLimits,
};

const units: Record<string, number> = { KiB: 2 ** 10, MiB: 2 ** 20, s: 1000, min: 60_000 };

/** The limits of the page, with their names in the code. */
const named: Record<string, string> = {
  'Window of the two rates below, in each Cloudflare location': 'limits.rate.periodSeconds',
  'Requests of an account': 'limits.rate.account',
  'Requests of an IP address (IPv6: /64; a Worker: its zone) without a user; of a secret or read key; to `/health` or `/offer`':
    'limits.rate.address',
  'Characters of the URL': 'limits.request.url',
  Filters: 'limits.query.filters',
  'Levels of `and` and `or`': 'limits.query.treeLevels',
  'Values of `in.(…)`': 'limits.query.listValues',
  'Columns of a response': 'limits.query.outputs',
  'Embedded relations': 'limits.query.embeddings',
  'Levels of embedded relations': 'limits.query.embeddedLevels',
  'Uses of a column with large values, such as `customization`': 'workLimits.largeColumn.reads',
  'Size of its value by which rows are sorted or grouped': 'limits.query.sortedBytes',
  'Full-text searches': 'workLimits.search.textSearches',
  'Pattern × size of the column, in bytes, of all `like` and `ilike`': 'workLimits.search.patternWork',
  'Bytes of all regular expressions, without `{`, `(?`, repeated groups, back references or inner anchors; staff may send any':
    'workLimits.search.regexBytes',
  'Size of a body': 'limits.body.bytes',
  'Size of a body over 64 KiB, times the rows that the filter of its PATCH matches': 'limits.body.ofRows',
  'Rows of a body': 'limits.body.rows',
  'Time for a body to arrive': 'limits.body.arrivalSeconds',
  'Size of the answer to an offer, by its link': 'answerLimits.bytes',
  'Bytes of the name in it': 'answerLimits.nameBytes',
  'Characters of the message in it': 'answerLimits.saidCharacters',
  'Bytes of an access token': 'limits.token.bytes',
  '`Idempotency-Key`s of a customer in a day': 'limits.idempotency.keysOfCustomer',
  'Newest keys whose response body is kept': 'limits.idempotency.bodiesOfCaller',
  'Quote numbers in a year for a customer, or for all anonymous accounts': 'limits.quoteNumbers.ofCustomer',
  'Last quote numbers of a year, for staff only': 'limits.quoteNumbers.forStaff',
  'Live links of a quote, besides those of mails': 'limits.links.ofQuote',
  'Days until a link ends': 'limits.links.days',
  'Time of a statement': 'limits.database.statementTimeout',
  'Rows, unless `MAX_ROWS` is set': 'limits.response.rows',
  Size: 'limits.response.bytes',
  'Size of a row': 'limits.response.rowBytes',
  'Time until the client has read a large response': 'limits.largeResponses.readSeconds',
  'Sockets of each of the `LIVE_OBJECTS`': 'liveLimits.sockets',
  'Sockets of a user': 'liveLimits.socketsOfUser',
  'Sockets of a network that have joined no channel': 'liveLimits.unjoinedOfNetwork',
  'Messages of a socket in 10 s': 'liveLimits.messages',
  'Size of a message': 'socketLimits.message',
  'Time without a heartbeat': 'socketLimits.silence',
  'Sent to a user in 10 s': 'liveLimits.bytesOfUserWithin',
  'Channels of a socket': 'channelLimits.channels',
  'Channels of a user': 'bindingLimits.channelsOfUser',
  'Bindings of a channel': 'bindingLimits.bindings',
  'Different filters of a user': 'bindingLimits.conditionsOfUser',
  'Size of a record that is sent whole': 'publishLimits.recordBytes',
};

/** The rows of the page: what a limit is about, and its value with a unit. */
const rows = [...page.matchAll(/^- (.+): \*\*([\d,]+) ?(\w*)\*\*.*$/gm)].map(
  ([, what = '', value = '', unit = '']) => ({
    what,
    name: named[what] ?? '',
    // Names with "Seconds" are of numbers of seconds; other times are milliseconds.
    value: Number(value.replaceAll(',', '')) * (named[what]?.endsWith('Seconds') ? 1 : (units[unit] ?? 1)),
  }),
);

const valueInCode = (name: string) =>
  name.split('.').reduce<number | Values | undefined>((values, key) => (values as Values)?.[key], inCode);

it.each(rows)('functions/LIMITS.md has the value of the code: $what', ({ name, value }) => {
  expect(valueInCode(name)).toBe(value);
});

it('functions/LIMITS.md has each limit once, and no other line', () => {
  expect(rows.map(({ what }) => what)).toEqual(Object.keys(named));
  expect(page.match(/^- /gm)).toHaveLength(rows.length);
});
