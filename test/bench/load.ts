/** Load on a server: by `wrk` where it is installed, which takes little of the machine, or else by autocannon. */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import autocannon from 'autocannon';
import { type Contestant, headersOf } from './contestants.ts';
import type { JobRequest } from './jobs.ts';

const execute = promisify(execFile);

export interface Load {
  contestant: Contestant;
  requests: JobRequest[];
  connections: number;
  seconds: number;
  /** For files that are needed meanwhile. */
  directory: string;
}

export interface LoadResult {
  answered: number;
  /** Anything but 2xx, and connections that failed. */
  failed: number;
  seconds: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
}

/** Sends the requests in turn, over and over, from a number of connections. */
export async function load(load: Load): Promise<LoadResult> {
  return (await hasWrk) ? loadByWrk(load) : loadByAutocannon(load);
}

const hasWrk: Promise<boolean> = execute('wrk', ['--version']).then(
  () => true,
  // It exits with 1 after it has told its version.
  (error: { code: unknown }) => error.code === 1,
);

/** A string as Lua reads it, whatever is in it but its own end. */
const lua = (text: string): string => `[==[${text}]==]`;

async function loadByWrk({
  contestant,
  requests,
  connections,
  seconds,
  directory,
}: Load): Promise<LoadResult> {
  const root = new URL(contestant.url);
  const formatted = requests.map(request => {
    const { method, path, body } = request;
    const all = { host: root.host, ...headersOf(contestant, request) };
    const fields = Object.entries(all).map(([name, value]) => `[ ${lua(name)} ]=${lua(value)}`);
    const target = `${root.pathname.replace(/\/$/, '')}${path}`;
    return `wrk.format(${lua(method)}, ${lua(target)}, {${fields}}, ${body === undefined ? 'nil' : lua(body)})`;
  });
  const script = join(directory, 'load.lua');
  await writeFile(
    script,
    `local requests = {${formatted.join(',\n')}}
local turn = 0
request = function()
  turn = turn % #requests + 1
  return requests[turn]
end
done = function(summary, latency)
  local e = summary.errors
  io.write(string.format('RESULT {"requests":%d,"microseconds":%d,"failed":%d,"p50":%d,"p99":%d}\\n', summary.requests,
    summary.duration, e.connect + e.read + e.write + e.status + e.timeout, latency:percentile(50), latency:percentile(99)))
end
`,
  );
  const { stdout } = await execute('wrk', [
    '-t1',
    `-c${connections}`,
    `-d${seconds}s`,
    '--timeout',
    '20s',
    '-s',
    script,
    root.origin,
  ]);
  const told = /^RESULT (.*)$/m.exec(stdout)?.[1];
  if (told === undefined) {
    throw new Error(`wrk told no result: ${stdout}`);
  }
  const result = JSON.parse(told);
  return {
    answered: result.requests - result.failed,
    failed: result.failed,
    seconds: result.microseconds / 1e6,
    p50: result.p50 / 1000,
    p99: result.p99 / 1000,
  };
}

/** How often each status was answered; `none` is a connection that failed. */
export type Statuses = Record<string, number>;

/** It takes more of the machine, and counts what was answered. */
export async function loadByAutocannon({
  contestant,
  requests,
  connections,
  seconds,
}: Omit<Load, 'directory'>): Promise<LoadResult & { statuses: Statuses }> {
  const root = new URL(contestant.url);
  const result = await autocannon({
    url: root.origin,
    connections,
    duration: seconds,
    requests: requests.map(request => ({
      method: request.method,
      path: `${root.pathname.replace(/\/$/, '')}${request.path}`,
      headers: headersOf(contestant, request),
      ...(request.body !== undefined && { body: request.body }),
    })),
  });
  return {
    answered: result['2xx'],
    failed: result.non2xx + result.errors,
    seconds: result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    statuses: {
      ...Object.fromEntries(
        Object.entries(result.statusCodeStats ?? {}).map(([status, { count = 0 }]) => [status, count]),
      ),
      ...(result.errors > 0 && { none: result.errors }),
    },
  };
}
