/** CPU time and memory by the name of a program, as Linux counts them; elsewhere nothing. */
import { readdir, readFile } from 'node:fs/promises';

/** Of `sysconf(_SC_CLK_TCK)`, which is 100 on every Linux that Node runs on. */
const ticksPerSecond = 100;

/** Seconds that all running processes of this name have used, and those that they started and saw end. */
export async function cpuSeconds(program: string): Promise<number> {
  let ticks = 0;
  for (const entry of await readdir('/proc').catch(() => [])) {
    if (/^\d+$/.test(entry)) {
      const stat = await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => '');
      const [, name, rest = ''] = /^\d+ \((.*)\) (.*)$/s.exec(stat) ?? [];
      // Fields 14 to 17 of proc(5) are user and system time, its own and its children's; `rest` begins with the third.
      const fields = rest.split(' ');
      ticks += name === program ? fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0) : 0;
    }
  }
  return ticks / ticksPerSecond;
}

/** Megabytes that the running processes of this name hold in memory which this process started. */
export async function residentMegabytes(program: string): Promise<number> {
  let kilobytes = 0;
  for (const entry of await readdir('/proc').catch(() => [])) {
    if (/^\d+$/.test(entry)) {
      const status = await readFile(`/proc/${entry}/status`, 'utf8').catch(() => '');
      const isProgram =
        status.startsWith(`Name:\t${program}\n`) && status.includes(`\nPPid:\t${process.pid}\n`);
      kilobytes += isProgram ? Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) : 0;
    }
  }
  return kilobytes / 1024;
}
