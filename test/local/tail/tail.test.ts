/** `npm run tail`, on events that workerd passed to a tail consumer (recorded.txt), as wrangler prints them. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { entriesOf } from '../../../functions/local/tail/entry.ts';
import { lineOf, painter } from '../../../functions/local/tail/line.ts';
import { Summary } from '../../../functions/local/tail/summary.ts';
import { runProgram, startProgram } from '../program.ts';

const file = fileURLToPath(new URL('recorded.txt', import.meta.url));
const recorded: Record<string, unknown>[] = readFileSync(file, 'utf8')
  .split(/(?<=^\}\n)/m)
  .map(text => JSON.parse(text));
const plain = painter(false);
const coloured = painter(true);

describe('an event of a tail', () => {
  it('of a request has the fields that the worker logged', () => {
    const event = recorded.find(object => JSON.stringify(object).includes('page-7.first')) ?? {};
    expect(entriesOf(event)).toEqual([
      {
        is: 'request',
        time: expect.any(Number),
        method: 'GET',
        target: 'quotes',
        status: 200,
        caller: 'customer',
        rows: 3,
        total: 13,
        database: 5,
        id: 'page-7.first',
      },
    ]);
  });

  it('of a request that is not logged has its path, without the query', () => {
    const event = {
      logs: [],
      outcome: 'ok',
      event: { request: { method: 'GET', url: 'https://a.b/c?d=e' } },
    };
    expect(entriesOf(event)).toEqual([{ is: 'request', method: 'GET', target: '/c', status: 0 }]);
  });

  it('of a call of the pool has no entry', () => {
    const event = recorded.find(object => JSON.stringify(object).includes('rpcMethod')) ?? {};
    expect(entriesOf(event)).toEqual([]);
  });

  it('that was terminated is a crash, with its request', () => {
    const request = { method: 'GET', url: 'https://a.b/rest/v1/quotes?sport=eq.golf' };
    expect(entriesOf({ logs: [], exceptions: [], outcome: 'exceededCpu', event: { request } })).toEqual([
      { is: 'crash', message: 'exceededCpu (GET /rest/v1/quotes)' },
    ]);
  });

  it('is unknown when it is neither a tail event nor a log line', () => {
    expect(entriesOf({ type: 'overload', message: 'Tail is sampling' })).toBeUndefined();
  });

  it('may be a log line alone, with its crash', () => {
    const line = { event: 'request', request_id: 'a', method: 'GET', status: 500, code: 'PGRSTX00' };
    expect(entriesOf({ ...line, timestamp: '2026-07-01T00:00:00Z' })).toEqual([
      {
        is: 'request',
        time: Date.UTC(2026, 6),
        method: 'GET',
        target: '-',
        status: 500,
        code: 'PGRSTX00',
        id: 'a',
      },
    ]);
    expect(entriesOf({ event: 'crash', message: 'no such thing', stack: '…' })).toEqual([
      { is: 'crash', message: 'no such thing' },
    ]);
  });
});

describe('a line', () => {
  const request = { is: 'request', method: 'GET', target: 'quotes', status: 200 } as const;

  it.each([
    [204, 32],
    [304, 36],
    [404, 33],
    [503, 31],
    [0, 31],
  ])('shows the status %i in the colour %i', (status, colour) => {
    expect(lineOf({ ...request, status }, coloured)).toContain(`\x1b[${colour}m${status}\x1b[0m`);
    expect(lineOf({ ...request, status }, plain)).not.toContain('\x1b');
  });

  it('of a failed sweep has the reason', () => {
    const swept = { expired: 2, pruned: 0, keys_forgotten: 1 };
    const sweep = { is: 'sweep', swept, batches: 1, total: 7, code: 'PGRST001' } as const;
    expect(lineOf({ ...sweep, reason: 'POOL_BUSY' }, plain)).toMatch(
      /^ +cron +sweep +failed +3 +7\.0 +PGRST001 \(POOL_BUSY\) {2}quotes expired 2, notifications pruned 0, keys forgotten 1, 1 batch$/,
    );
  });

  it('of a minute of live updates has its sockets, and says when changes were missed', () => {
    const counts = { sockets: 12, channels: 20, joining: 0, resuming: 0, told: 7, missed: 0, closed: 0 };
    const fields = { event: 'live', ...counts, lag_ms: 300, missed_because: '', closed_because: '' };
    const line = (more: object): string => {
      const [entry] = entriesOf({ ...fields, ...more }) ?? [];
      return entry ? lineOf(entry, plain) : '';
    };
    expect(line({})).toMatch(/^ +minute +live +ok +7 +300\.0 +12 sockets, 20 channels, 0 missed changes$/);
    const missed = { missed: 2, missed_because: 'gap 2', code: 'PGRST001', reason: 'POOL_BUSY' };
    expect(
      line({ ...missed, joining: 3, resuming: 4, closed: 1, closed_because: 'Connect again 1' }),
    ).toMatch(
      /^ +minute +live +failed +7 +300\.0 +PGRST001 \(POOL_BUSY\) {2}12 sockets, 20 channels, 3 joining, 4 resuming, 2 missed changes \(gap 2\), 1 closed \(Connect again 1\)$/,
    );
  });

  it('is a single line, whatever was thrown', () => {
    expect(lineOf({ is: 'crash', message: 'a\n\x1b[31mb\r\n  c' }, plain).trim()).toBe('crash  a b c');
  });
});

describe('a summary', () => {
  it('has percentiles, the slowest requests and the statuses of all requests', () => {
    const summary = new Summary();
    for (let total = 1; total <= 200; total++) {
      summary.add({ is: 'request', time: total * 100, method: 'GET', target: 'quotes', status: 200, total });
    }
    summary.add({ is: 'sweep', swept: { expired: 2, pruned: 3 }, batches: 2, total: 10, code: 'PGRST001' });
    summary.add({ is: 'sweep', swept: { expired: 1, keys_forgotten: 4 }, batches: 2, total: 10 });
    summary.add({
      is: 'live',
      joining: 0,
      resuming: 0,
      closed: 0,
      sockets: 12,
      channels: 20,
      told: 7,
      lag: 300,
      missed: 0,
    });
    summary.add({
      is: 'live',
      joining: 0,
      resuming: 0,
      closed: 0,
      sockets: 10,
      channels: 18,
      told: 5,
      lag: 200,
      missed: 1,
    });
    expect(summary.lines(plain)).toEqual([
      'requests    200 in 19.9 s, 10.1 a second',
      'statuses    2xx 200 (100.0 %)',
      'total ms    p50 100.0   p95 190.0   p99 198.0',
      ...[200, 199, 198, 197, 196].map(
        (total, index) =>
          `${index === 0 ? 'slowest' : '       '}        ${total.toFixed(1)} ms  GET quotes 200`,
      ),
      'sweeps      2, 1 failed; quotes expired 3, notifications pruned 3, keys forgotten 4',
      'live        12 sockets at most, 12 changes told, 1 missed, lag at most 300 ms',
    ]);
  });

  it('says that there was no request', () => {
    expect(new Summary().lines(plain)).toEqual(['requests    none']);
  });
});

describe('npm run tail', () => {
  it('prints a file, a line per request and sweep, and a summary', async () => {
    const { code, stdout, stderr } = await runProgram('tail', [file], { TZ: 'UTC' });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [heading, ...lines] = stdout.split('\n\n')[0]?.split('\n') ?? [];
    expect(heading).toMatch(
      /^time +method +collection +status +caller +rows +total ms +db ms +code, request id$/,
    );
    expect(lines.map(line => line.slice(14))).toMatchInlineSnapshot(`
      [
        "GET      /health            200",
        "GET      graphics           200     anon          5      16.0      10.0  41e7f9cf-b4de-4e85-8db1-60cdc702145c",
        "OPTIONS  /rest/v1/quotes    204",
        "GET      quotes             200     customer      3      13.0       5.0  page-7.first",
        "GET      quotes             400     customer              7.0       0.0  42703  6bbcd130-0572-449d-9ab9-19ea8dce7c3d",
        "GET      quotes             401     anon                  1.0       0.0  42501  6af31f6c-5b25-4a6e-bf41-521694868cdf",
        "GET      quotes             401                           0.0       0.0  PGRST302  b3c236b9-5812-4b2b-bb25-fb0bc6aa0423",
        "PATCH    quotes             204     service       1      32.0      15.0  cdcf9890-c1e7-4367-a108-3ae097d4d028",
        "POST     next_quote_number  200     customer             13.0      13.0  f923d62c-5a96-430c-afec-e5ddf9b8b78b",
        "cron     sweep              ok                    0      26.0            quotes expired 0, notifications pruned 0, 2 batches",
        "GET      graphics           503     anon                  3.0       2.0  PGRST001 (Network connection lost.)  57ae1ac2-95d9-45d1-9542-020429d65554",
        " of: 'two' } parts",
        "crash  TypeError: rows is not iterable (GET /rest/v1/quotes)",
      ]
    `);
    expect(stdout.split('\n\n')[1]).toMatch(/^requests {4}10 in 0\.6 s, \d+\.\d a second\nstatuses {4}2xx 6/);
  });

  it('prints standard input, and on Ctrl-C a summary of what it has read so far', async () => {
    const line = { event: 'request', method: 'GET', collection: 'quotes', status: 200, total_ms: 4 };
    const program = startProgram('tail', [], {}, `Connected\n${JSON.stringify(line)}\n{\n  "other": 1\n}\n`);
    await program.printed('"other"');
    const { code, stdout } = await program.interrupt();
    expect(code).toBe(0);
    expect(stdout).toContain('\nConnected\n');
    expect(stdout).toContain('\n{"other":1}\n');
    expect(stdout).toMatch(/\n\nrequests {4}1\nstatuses {4}2xx 1 \(100\.0 %\)\n/);
  });

  it.each([
    ['a file that is not there', ['nowhere.txt'], /^The file cannot be read: ENOENT.+\n$/],
    ['two sources', ['--env', 'quotes', file], /^Only one worker or one file can be read\. Usage: .+\n$/],
    ['an unknown option', ['--worker', 'quotes'], /^Unknown option '--worker'.+Usage: .+\n$/],
  ])('reports %s in one line', async (_what, args, line) => {
    const { code, stderr } = await runProgram('tail', args);
    expect(stderr).toMatch(line);
    expect(code).toBe(1);
  });
});
