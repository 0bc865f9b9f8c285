/** The ways in which connections end, as faults of a link. */
import type { TestDatabase } from '../setup/database.ts';
import { cutInAnswer, endNewAt } from './inspectors.ts';
import type { Link } from './link.ts';
import type { Fault } from './rounds.ts';

/** The target of a fault. */
export interface Place {
  link: Link;
  database: TestDatabase;
}

type Named = [how: string, fault: (place: Place) => Fault];

/** Milliseconds. */
const lasts = 100;

export const endsUnderWay: Named[] = [
  [
    'by pg_terminate_backend',
    ({ database }) => ({
      strike: () => database.sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and usename = 'builder_api'`,
    }),
  ],
  ['with FIN', ({ link }) => ({ strike: () => link.cut() })],
  ['with RST', ({ link }) => ({ strike: () => link.cut('RST') })],
  ['one way, while the other is still open', ({ link }) => ({ strike: () => link.cut('one way') })],
  ['in the middle of an answer', ({ link }) => ({ strike: () => cutInAnswer(link) })],
];

export const endsWhileMade: Named[] = [
  ['refused', ({ link }) => ({ strike: () => link.refuse(), lasts, mend: () => link.resume() })],
  ['at once', ({ link }) => ({ strike: () => link.turnAway(), lasts, mend: () => link.resume() })],
  endNew('at start-up', 'client', 1),
  endNew('while the password is asked for', 'server', 1),
  endNew('while the password is checked', 'client', 2),
  endNew('when the password was right', 'server', 3),
];

/** Existing and new connections are closed at that chunk. */
export function endNew(how: string, ...at: Parameters<typeof endNewAt>): Named {
  const faultOf = ({ link }: Place): Fault => ({
    strike() {
      link.inspect(endNewAt(...at));
      link.cut();
    },
    lasts,
    mend: () => link.inspect(),
  });
  return [how, faultOf];
}
