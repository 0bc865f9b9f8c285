/** CPU and memory of processes on Linux; nothing elsewhere. Reads synchronously, because it reads often. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** `sysconf(_SC_CLK_TCK)`, which is 100 on every Linux that Node runs on. */
const ticksPerSecond = 100;

type Process = NonNullable<ReturnType<typeof readProcess>>;

/** See proc(5). Undefined when it has ended. */
function readProcess(id: number) {
  const [, name, rest] = /^\d+ \((.*)\) (.*)$/s.exec(read(`/proc/${id}/stat`)) ?? [];
  if (name === undefined || rest === undefined) {
    return undefined;
  }
  // The third field and those after it; 14 to 17 are user and system time, its own and its children's.
  const fields = rest.split(' ');
  const seconds = (from: number) => (Number(fields[from]) + Number(fields[from + 1])) / ticksPerSecond;
  // Its own CPU seconds, and those of processes that it started and saw end.
  return { id, parent: Number(fields[1]), name, seconds: seconds(11), secondsOfEnded: seconds(13) };
}

/** Returns the process and all that it started, directly or not. */
export function familyOf(process: number): Process[] {
  const all = attempt(() => readdirSync('/proc'), [])
    .filter(entry => /^\d+$/.test(entry))
    .map(entry => readProcess(Number(entry)))
    .filter(found => found !== undefined);
  const chosen = (which: number): Process[] => [
    ...all.filter(({ id }) => id === which),
    ...all.filter(({ parent }) => parent === which).flatMap(({ id }) => chosen(id)),
  ];
  return chosen(process);
}

/** The ids of the running processes of this name which the process started. */
export const idsOf = (name: string, startedBy = process.pid): number[] =>
  familyOf(startedBy)
    .filter(found => found.name === name)
    .map(({ id }) => id);

/** CPU seconds of a process; undefined when it has ended. */
export const cpuOf = (pid: number): number | undefined => readProcess(pid)?.seconds;

/** CPU seconds of a process and all that it started. Read again until none has come or gone meanwhile, to count each once. */
export function cpuOfFamily(process: number): number {
  for (let before = ''; ; ) {
    const family = familyOf(process);
    const ids = family.map(({ id }) => id).join();
    if (ids === before) {
      return family.reduce((sum, { seconds, secondsOfEnded }) => sum + seconds + secondsOfEnded, 0);
    }
    before = ids;
  }
}

/** Milliseconds for which a process's main thread could have run and did not. See "schedstat" in the kernel's documentation. */
const waited = (pid: number): number => Number(read(`/proc/${pid}/schedstat`).split(' ')[1] ?? 0) / 1e6;

/** The time in milliseconds, less that in which this process, and another, could have run, but others had all CPUs. */
export const timeWithCpu = (other?: number): number =>
  performance.now() - waited(process.pid) - (other === undefined ? 0 : waited(other));

const megabytesIn = (status: string, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0) / 1024;

/** Returns private megabytes, without shared buffers and the program's files: now, and at most since the last `forgetPeak`. */
export function memoryOf(pid: number): { now: number; peak: number } | undefined {
  const status = read(`/proc/${pid}/status`);
  const [now = 0, most = 0, files = 0, shared = 0] = ['RssAnon', 'VmHWM', 'RssFile', 'RssShmem'].map(name =>
    megabytesIn(status, name),
  );
  // The peak includes shared memory. That never shrinks, so subtracting its current size can't overestimate the peak.
  return status === '' ? undefined : { now, peak: Math.max(now, most - files - shared) };
}

/** Where a process has ended or belongs to another user, the peak is that of the readings. */
export const forgetPeak = (pid: number): void =>
  attempt(() => writeFileSync(`/proc/${pid}/clear_refs`, '5'), undefined);

const read = (file: string): string => attempt(() => readFileSync(file, 'utf8'), '');

function attempt<Result>(work: () => Result, otherwise: Result): Result {
  try {
    return work();
  } catch {
    return otherwise;
  }
}
