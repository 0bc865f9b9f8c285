/** What a process uses, as Linux counts it; elsewhere nothing is known. Read at once, since it is read often. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** Of `sysconf(_SC_CLK_TCK)`, which is 100 on every Linux that Node runs on. */
const ticksPerSecond = 100;

export interface Memory {
  /** Megabytes of its own: shared buffers and the files of the program don't count. */
  now: number;
  /** The most that it is known to have had since the last `forgetPeak`, between two readings too. */
  peak: number;
}

/** Seconds that a process has worked; nothing when it has ended. */
export function cpuOf(pid: number): number | undefined {
  const stat = read(`/proc/${pid}/stat`);
  // Fields 14 and 15 of proc(5); what follows the program's name begins with the third.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields && (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

export function memoryOf(pid: number): Memory | undefined {
  const status = read(`/proc/${pid}/status`);
  if (status === undefined) {
    return undefined;
  }
  const megabytes = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0) / 1024;
  const now = megabytes('RssAnon');
  // The peak is known with the shared memory only. That doesn't shrink, so what is left when it is taken off was there.
  return { now, peak: Math.max(now, megabytes('VmHWM') - megabytes('RssFile') - megabytes('RssShmem')) };
}

export function forgetPeak(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
  } catch {
    // It has ended, or is another user's: then the readings alone tell.
  }
}

/** The processes of this name that this process started. */
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
