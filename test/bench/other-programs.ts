/** How much of the machine programs used that don't belong to the benchmark: then its figures say little. */
import { readFile } from 'node:fs/promises';
import { cpuSeconds, ticksPerSecond, type Which } from './cpu.ts';

/** Beyond this share of all CPUs, a difference of a tenth between two servers may be the others' doing. */
export const mostOfOthers = 0.1;

/** CPU seconds, so far. */
export interface CpuTimes {
  /** That all CPUs had, idle or not. */
  all: number;
  /** That programs used, and other guests of the same host. */
  used: number;
  /** That the benchmark's own processes used. */
  own: number;
}

/** What was found in the measurements of one part. */
export interface OtherPrograms {
  /** The most that others used, as a share of all CPUs. */
  worst: number;
  measurements: number;
  /** In how many of them others used more than a tenth. */
  tooBusy: number;
}

/** Starts to watch. The returned function tells the others' share since then, or nothing where it can't be known. */
export async function watchOthers(own: Which[]): Promise<() => Promise<number | undefined>> {
  const before = await readTimes(own);
  return async () => {
    const after = await readTimes(own);
    return before && after && othersShare(before, after);
  };
}

export function othersShare(before: CpuTimes, after: CpuTimes): number {
  const others = after.used - before.used - (after.own - before.own);
  return Math.max(0, others / (after.all - before.all));
}

export const summariseOthers = (shares: number[]): OtherPrograms => ({
  worst: Math.max(0, ...shares),
  measurements: shares.length,
  tooBusy: shares.filter(share => share > mostOfOthers).length,
});

/** Medians bear a measurement in five in which others took part; with more, they may be the others' doing. */
export function isTooBusy(parts: OtherPrograms[]): boolean {
  return sumOf(parts, 'tooBusy') * 5 > sumOf(parts, 'measurements');
}

/** One sentence on all parts. */
export function busyLine(parts: OtherPrograms[]): string {
  const [measurements, tooBusy] = [sumOf(parts, 'measurements'), sumOf(parts, 'tooBusy')];
  const percent = (share: number) => `${Math.round(share * 100)} %`;
  const worst = percent(Math.max(...parts.map(part => part.worst)));
  if (measurements === 0) {
    return 'Whether other programs used the machine is not known.';
  }
  if (tooBusy === 0) {
    return `The machine was quiet: other programs used ${worst} of it at most.`;
  }
  const often =
    `in ${tooBusy} of ${measurements} measurements other programs used more than ${percent(mostOfOthers)} of it, ` +
    `${worst} in the worst.`;
  return `${isTooBusy(parts) ? 'The machine was too busy to tell' : 'The machine was not always quiet'}: ${often}`;
}

const sumOf = (parts: OtherPrograms[], of: 'measurements' | 'tooBusy'): number =>
  sum(parts.map(part => part[of]));

/** Time in interrupts is no use: it belongs to nobody, and most of it passes on the benchmark's own packets. */
async function readTimes(own: Which[]): Promise<CpuTimes | undefined> {
  const [stat, ...seconds] = await Promise.all([
    readFile('/proc/stat', 'utf8').catch(() => ''),
    ...own.map(cpuSeconds),
  ]);
  // See proc(5); what follows the time that was stolen is counted in the fields before.
  const fields = /^cpu +(.*)$/m.exec(stat)?.[1]?.split(' ').slice(0, 8).map(Number);
  if (fields === undefined) {
    return undefined;
  }
  const [user = 0, nice = 0, system = 0, _idle, _waiting, _interrupts, _soft, stolen = 0] = fields;
  return {
    all: sum(fields) / ticksPerSecond,
    used: (user + nice + system + stolen) / ticksPerSecond,
    own: sum(seconds),
  };
}

const sum = (numbers: number[]): number => numbers.reduce((total, each) => total + each, 0);
