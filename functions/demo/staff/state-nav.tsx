/** The states of quotes, with how many there are of each. */
import { useCallback } from 'react';
import { useLive } from '../use-live.ts';
import { useSession } from '../use-session.ts';
import { hashOf, type Place } from './place.ts';
import { readCounts } from './queries.ts';
import { stateNames, states } from './states.ts';

/** Milliseconds between two reads, at least: a busy office changes quotes many times a second. */
const interval = 2000;
const groups = [...new Set(Object.values(states).map(({ group }) => group))];
const number = new Intl.NumberFormat();

export function StateNav({ place }: { place: Place }) {
  const { client } = useSession().staff;
  const { q, rush } = place;
  const read = useCallback(() => readCounts(client, { q, rush }), [client, q, rush]);
  const { data: counts } = useLive(client, 'quotes', read, { interval });
  return (
    <nav className="desk-states" aria-label="States">
      {groups.map(group => (
        <div key={group}>
          <h3>{group}</h3>
          <ul>
            {stateNames
              .filter(name => states[name].group === group)
              .map(name => (
                <li key={name}>
                  <a
                    href={hashOf({ ...place, state: name, page: 1, quote: '' })}
                    aria-current={name === place.state ? 'page' : undefined}
                  >
                    {states[name].label} <span>{counts && number.format(counts[name] ?? 0)}</span>
                  </a>
                </li>
              ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
