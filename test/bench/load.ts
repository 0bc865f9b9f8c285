/** Full load on a server, by `wrk`, which takes little of the machine. */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
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
  /** Anything that was not expected, and connections that failed. */
  failed: number;
  seconds: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
}

/** A string as Lua reads it, whatever is in it but its own end. */
const lua = (text: string): string => `[==[${text}]==]`;

/** Sends the requests in turn, over and over, from a number of connections. */
export async function load({
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
  io.write(string.format('RESULT {"requests":%d,"microseconds":%d,"refused":%d,"lost":%d,"p50":%d,"p99":%d}\\n', summary.requests,
    summary.duration, e.status, e.connect + e.read + e.write + e.timeout, latency:percentile(50), latency:percentile(99)))
end
`,
  );
  const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '20s', '-s', script, root.origin];
  const { stdout } = await execute('wrk', args);
  const result = JSON.parse(/^RESULT (.*)$/m.exec(stdout)?.[1] ?? '{}');
  return {
    answered: result.requests - result.refused,
    failed: result.refused + result.lost,
    seconds: result.microseconds / 1e6,
    p50: result.p50 / 1000,
    p99: result.p99 / 1000,
  };
}
