/** CPU time and memory of processes, as Linux counts them; elsewhere nothing. */
import { readdir, readFile } from 'node:fs/promises';

/** `sysconf(_SC_CLK_TCK)`, which is 100 on every Linux that Node runs on. */
const ticksPerSecond = 100;

interface Process {
  id: number;
  parent: number;
  name: string;
  /** Its own CPU seconds, and those of processes that it started and saw end. */
  seconds: number;
}

/**
 * Seconds that a process and all that it started have used. A process that has ended is counted by its parent, which may have
 * been read before: so all are read again until none has come or gone meanwhile.
 */
export async function cpuSeconds(process: number): Promise<number> {
  for (let before = ''; ; ) {
    const processes = chosen(await listProcesses(), process);
    const ids = processes.map(({ id }) => id).join();
    if (ids === before) {
      return processes.reduce((sum, { seconds }) => sum + seconds, 0);
    }
    before = ids;
  }
}

/** The ids of the running processes of this name which the process started. */
export async function idsOf(name: string, startedBy: number): Promise<number[]> {
  const processes = chosen(await listProcesses(), startedBy);
  return processes.filter(process => process.name === name).map(({ id }) => id);
}

/** Megabytes that the running processes of this name hold in memory which the process started. */
export async function residentMegabytes(name: string, startedBy: number): Promise<number> {
  let kilobytes = 0;
  for (const id of await idsOf(name, startedBy)) {
    const status = await readFile(`/proc/${id}/status`, 'utf8').catch(() => '');
    kilobytes += Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0);
  }
  return kilobytes / 1024;
}

/** Microseconds that a process itself has been running, to the nanosecond; see schedstats in the kernel's documentation. */
export async function cpuMicroseconds(process: number): Promise<number> {
  const [nanoseconds] = (await readFile(`/proc/${process}/schedstat`, 'utf8').catch(() => 'NaN')).split(' ');
  return Number(nanoseconds) / 1000;
}

function chosen(processes: Process[], which: number): Process[] {
  const children = processes.filter(({ parent }) => parent === which);
  return [
    ...processes.filter(({ id }) => id === which),
    ...children.flatMap(({ id }) => chosen(processes, id)),
  ];
}

async function listProcesses(): Promise<Process[]> {
  const entries = (await readdir('/proc').catch(() => [])).filter(entry => /^\d+$/.test(entry));
  const processes = await Promise.all(entries.map(readProcess));
  return processes.filter(process => process !== undefined);
}

/** See proc(5). */
async function readProcess(entry: string): Promise<Process | undefined> {
  const stat = await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => '');
  const [, name, rest] = /^\d+ \((.*)\) (.*)$/s.exec(stat) ?? [];
  if (name === undefined || rest === undefined) {
    return undefined;
  }
  // The third field of proc(5) and those after it; 14 to 17 are user and system time, its own and its children's.
  const fields = rest.split(' ');
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return { id: Number(entry), parent: Number(fields[1]), name, seconds: ticks / ticksPerSecond };
}
