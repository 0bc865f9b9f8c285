/** How much of the machine programs used that don't belong to the benchmark: then its figures say little. */
import { readFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { cpuSeconds, ticksPerSecond, type Which } from './cpu.ts';

/** Beyond this share of all CPUs, a difference of a tenth between two servers may be the others' doing. */
export const mostOfOthers = 0.1;

/** Seconds, so far. */
export interface CpuTimes {
  /** By all programs, and by other guests of the same host. */
  used: number;
  /** By the benchmark's own processes. */
  own: number;
  elapsed: number;
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
    return before && after && othersShare(before, after, cpus().length);
  };
}

export function othersShare(before: CpuTimes, after: CpuTimes, cpus: number): number {
  const others = after.used - before.used - (after.own - before.own);
  return Math.max(0, others / (after.elapsed - before.elapsed) / cpus);
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
  parts.reduce((sum, part) => sum + part[of], 0);

/** Time in interrupts is left out: it belongs to nobody, and most of it passes on the benchmark's own packets. */
async function readTimes(own: Which[]): Promise<CpuTimes | undefined> {
  const stat = await readFile('/proc/stat', 'utf8').catch(() => '');
  const fields = /^cpu +(.*)$/m.exec(stat)?.[1]?.split(' ').map(Number);
  if (fields === undefined) {
    return undefined;
  }
  const [user = 0, nice = 0, system = 0, _idle, _waiting, _interrupts, _soft, stolen = 0] = fields;
  const seconds = await Promise.all(own.map(cpuSeconds));
  return {
    used: (user + nice + system + stolen) / ticksPerSecond,
    own: seconds.reduce((sum, each) => sum + each, 0),
    elapsed: performance.now() / 1000,
  };
}
