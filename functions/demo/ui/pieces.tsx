/** Small pieces that both sides show. */
import type { ReactNode } from 'react';
import { ago, time } from '../format.ts';
import { useClock } from '../use-clock.ts';

/** Takes the place of what is being read. */
export const Skeleton = ({ lines = 3 }: { lines?: number }) => (
  <div className="skeleton" role="status" aria-label="Loading">
    {Array.from({ length: lines }, (_, line) => `line ${line}`).map(key => (
      <span key={key} />
    ))}
  </div>
);

/** Says that there is nothing, and what to do. */
export const Empty = ({ title, children }: { title: string; children?: ReactNode }) => (
  <div className="empty">
    <h3>{title}</h3>
    {children}
  </div>
);

/** Lists what is known, by its labels. */
export const Facts = ({ rows }: { rows: Record<string, ReactNode> }) => (
  <dl className="facts">
    {Object.entries(rows)
      .filter(([, value]) => value)
      .map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
);

/** Shows the state of a quote. */
export const Badge = ({ status }: { status: string }) => <span className={`badge ${status}`}>{status}</span>;

/** Shows how long ago something was, with the exact time for those who ask. */
export function Time({ value }: { value: string }) {
  useClock();
  return (
    <time dateTime={value} title={time(value)}>
      {ago(value)}
    </time>
  );
}

/** Moves the focus to a heading that has replaced what had it, so that it is read out, and Tab continues there. */
export function focusHeading(heading: HTMLElement | null): void {
  if (document.activeElement === document.body) {
    heading?.focus({ preventScroll: true });
  }
}
