/** The CPU and memory of a process on Linux; undefined elsewhere. Reads synchronously, because it reads often. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** `sysconf(_SC_CLK_TCK)`, which is 100 on every Linux that Node runs on. */
const ticksPerSecond = 100;

export interface Memory {
  /** Private megabytes, without shared buffers and the program's files. */
  now: number;
  /** The peak since the last `forgetPeak`, including between readings. */
  peak: number;
}

/** CPU seconds of a process; undefined when it has ended. */
export function cpuOf(pid: number): number | undefined {
  const stat = read(`/proc/${pid}/stat`);
  // Fields 14 and 15 of proc(5); the text after the program's name begins with field 3.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields && (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/**
 * Milliseconds for which the main thread of a process could have run, but other programs had all CPUs. See "schedstat" in
 * the kernel's documentation.
 */
export const waitedForCpu = (pid: number): number =>
  Number(read(`/proc/${pid}/schedstat`)?.split(' ')[1] ?? 0) / 1e6;

export function memoryOf(pid: number): Memory | undefined {
  const status = read(`/proc/${pid}/status`);
  if (status === undefined) {
    return undefined;
  }
  const megabytes = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0) / 1024;
  const now = megabytes('RssAnon');
  // The peak includes shared memory. That never shrinks, so subtracting its current size can't overestimate the peak.
  return { now, peak: Math.max(now, megabytes('VmHWM') - megabytes('RssFile') - megabytes('RssShmem')) };
}

export function forgetPeak(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
  } catch {
    // It has ended or belongs to another user: then the peak is that of the readings.
  }
}

/** The child processes of this process with this name. */
export function childrenNamed(name: string): number[] {
  return directory('/proc')
    .filter(entry => /^\d+$/.test(entry))
    .filter(entry => {
      const status = read(`/proc/${entry}/status`) ?? '';
      return status.startsWith(`Name:\t${name}\n`) && status.includes(`\nPPid:\t${process.pid}\n`);
    })
    .map(Number);
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function directory(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
