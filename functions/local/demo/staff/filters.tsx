/** What the queue is limited to, beside the state. */
import { useEffect, useRef, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Choice, Field } from '../ui/field.tsx';
import { useSession } from '../use-session.ts';
import { type Place, replacePlace, searchLength } from './place.ts';
import { readSports } from './queries.ts';

/** Milliseconds without a key before it searches. */
const pause = 300;

export function Filters({ place }: { place: Place }) {
  const { client } = useSession().staff;
  const [sports, setSports] = useState<string[]>([]);
  useEffect(() => void readSports(client).then(setSports), [client]);
  const { q, sport, rush, from, to } = place;
  const set = (change: Partial<Place>) => replacePlace({ ...place, page: 1, ...change });
  const options = Object.fromEntries(sports.map(name => [name, name]));
  const isFiltered = [q, sport, rush, from, to].some(Boolean);
  return (
    <search className="desk-filters">
      <Search q={q} onSearch={text => set({ q: text })} />
      <Choice
        label="Sport"
        name="sport"
        options={{ '': 'All sports', ...(sport && { [sport]: sport }), ...options }}
        value={sport}
        onChange={event => set({ sport: event.target.value })}
      />
      <Field
        label="Event from"
        name="from"
        type="date"
        max="9999-12-31"
        value={from}
        onChange={event => set({ from: event.target.value })}
      />
      <Field
        label="Event until"
        name="to"
        type="date"
        max="9999-12-31"
        value={to}
        onChange={event => set({ to: event.target.value })}
      />
      <label className="desk-check">
        <input type="checkbox" checked={rush} onChange={event => set({ rush: event.target.checked })} /> Rush
        only
      </label>
      {isFiltered && (
        <Button onClick={() => set({ q: '', sport: '', rush: false, from: '', to: '' })}>
          Clear filters
        </Button>
      )}
    </search>
  );
}

/** Searches when nothing has been typed for a moment. */
function Search({ q, onSearch }: { q: string; onSearch: (text: string) => void }) {
  const [text, setText] = useState(q);
  const latest = useRef(q);
  useEffect(() => {
    if (q !== latest.current) {
      // The address was changed by something else: a link, or the way back.
      latest.current = q;
      setText(q);
    }
  }, [q]);
  useEffect(() => {
    const timer = setTimeout(() => {
      if (text !== latest.current) {
        latest.current = text;
        onSearch(text);
      }
    }, pause);
    return () => clearTimeout(timer);
  });
  return (
    <Field
      label="Search"
      name="q"
      type="search"
      placeholder="Number, company or name"
      maxLength={searchLength}
      value={text}
      onChange={event => setText(event.target.value)}
    />
  );
}
