/** What the queue is limited to: a state, a text, rush orders. */
import { useCallback, useEffect, useState } from 'react';
import { useSession } from '../supabase.ts';
import { Button } from '../ui/button.tsx';
import { Check, Choice, Field } from '../ui/field.tsx';
import { useLive } from '../use-live.ts';
import { hashOf, type Place, replacePlace, searchLength } from './place.ts';
import { readCounts } from './queries.ts';
import { type StateName, stateNames, states } from './states.ts';

/** Milliseconds without a key before it searches. */
const pause = 300;

export function Filters({ place }: { place: Place }) {
  const { q, rush } = place;
  const set = (change: Partial<Place>) => replacePlace({ ...place, page: 1, ...change });
  return (
    <search className="desk-filters">
      <Search q={q} onSearch={text => set({ q: text })} />
      <Check label="Rush only" checked={rush} onChange={event => set({ rush: event.target.checked })} />
      {(q || rush) && <Button onClick={() => set({ q: '', rush: false })}>Clear filters</Button>}
    </search>
  );
}

/** Searches when nothing has been typed for a moment. */
function Search({ q, onSearch }: { q: string; onSearch: (text: string) => void }) {
  const [text, setText] = useState(q);
  // The address may be changed by something else: a link, or the way back.
  useEffect(() => setText(q), [q]);
  useEffect(() => {
    const timer = setTimeout(() => text !== q && onSearch(text), pause);
    return () => clearTimeout(timer);
  });
  return (
    <Field
      label="Search"
      name="q"
      type="search"
      placeholder="Number, team, company, name or sport"
      maxLength={searchLength}
      value={text}
      onChange={event => setText(event.target.value)}
    />
  );
}

/** Milliseconds between two reads, at least: a busy office changes quotes many times a second. */
const interval = 2000;
const groups = [...new Set(Object.values(states).map(({ group }) => group))];
const number = new Intl.NumberFormat();

/** Lists the states, with how many quotes there are of each; as a menu where there is no room. */
export function StateNav({ place, isMenu = false }: { place: Place; isMenu?: boolean }) {
  const { client } = useSession().staff;
  const { q, rush } = place;
  const read = useCallback(() => readCounts(client, { q, rush }), [client, q, rush]);
  const { data: counts } = useLive(client, { quotes: '' }, read, interval);
  const countOf = (name: StateName) => (counts ? number.format(counts[name] ?? 0) : '');
  if (isMenu) {
    return (
      <Choice
        label="State"
        name="state"
        options={Object.fromEntries(stateNames.map(name => [name, `${states[name].label} ${countOf(name)}`]))}
        value={place.state}
        onChange={({ target }) => {
          location.hash = hashOf({ ...place, state: target.value as StateName, page: 1 });
        }}
      />
    );
  }
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
                    href={hashOf({ ...place, state: name, page: 1 })}
                    aria-current={name === place.state ? 'page' : undefined}
                  >
                    {states[name].label} <span>{countOf(name)}</span>
                  </a>
                </li>
              ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
