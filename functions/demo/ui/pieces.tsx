/** Small pieces that both sides show. */
import { type ReactNode, useEffect, useReducer } from 'react';
import { ago, time } from '../format.ts';
import type { Player } from '../jersey/design.ts';

interface NoticeProps {
  kind: 'info' | 'warning' | 'error' | 'good';
  children: ReactNode;
}

/** A message about what the user does: read out when it appears. */
export const Notice = ({ kind, children }: NoticeProps) => (
  <div className={`notice ${kind}`} role={kind === 'error' ? 'alert' : 'status'}>
    {children}
  </div>
);

/** Renders the component again every 20 s, so that what depends on the time stays true while the page is open. */
export function useClock(): void {
  const [, tick] = useReducer((ticks: number) => ticks + 1, 0);
  useEffect(() => {
    const timer = setInterval(tick, 20_000);
    return () => clearInterval(timer);
  }, []);
}

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
export const Badge = ({ status, label = status }: { status: string; label?: string }) => (
  <span className={`badge ${status}`}>{label}</span>
);

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

/** The titles of a roster. */
export const PlayerTitles = ({ children }: { children?: ReactNode }) => (
  <thead>
    <tr>
      <th scope="col">Name</th>
      <th scope="col">No.</th>
      <th scope="col">Size</th>
      {children}
    </tr>
  </thead>
);

/** A roster that is only shown. */
export const PlayerTable = ({ players, caption }: { players: Player[]; caption: string }) => (
  <table className="roster">
    <caption className="visually-hidden">{caption}</caption>
    <PlayerTitles />
    <tbody>
      {players.map(({ name, number, size }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a player is known by its place alone.
        <tr key={index}>
          <td>{name || '–'}</td>
          <td>{number || '–'}</td>
          <td>{size || '–'}</td>
        </tr>
      ))}
    </tbody>
  </table>
);
