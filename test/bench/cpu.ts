/** CPU time by the name of a program, as Linux counts it; elsewhere nothing. */
import { readdir, readFile } from 'node:fs/promises';

/** Of `sysconf(_SC_CLK_TCK)`, which is 100 on every Linux that Node runs on. */
const ticksPerSecond = 100;

/** Seconds that all running processes of this name have used. */
export async function cpuSeconds(program: string): Promise<number> {
  let ticks = 0;
  for (const entry of await readdir('/proc').catch(() => [])) {
    if (/^\d+$/.test(entry)) {
      const stat = await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => '');
      const [, name, rest = ''] = /^\d+ \((.*)\) (.*)$/s.exec(stat) ?? [];
      // Fields 14 and 15 of proc(5) are user and system time; `rest` begins with the third.
      const fields = rest.split(' ');
      ticks += name === program ? Number(fields[11]) + Number(fields[12]) : 0;
    }
  }
  return ticks / ticksPerSecond;
}
