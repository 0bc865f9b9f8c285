/** What the queue is limited to, beside the state. */
import { useEffect, useRef, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { type Place, replacePlace, searchLength } from './place.ts';

/** Milliseconds without a key before it searches. */
const pause = 300;

export function Filters({ place }: { place: Place }) {
  const { q, rush } = place;
  const set = (change: Partial<Place>) => replacePlace({ ...place, page: 1, ...change });
  return (
    <search className="desk-filters">
      <Search q={q} onSearch={text => set({ q: text })} />
      <label className="desk-check">
        <input type="checkbox" checked={rush} onChange={event => set({ rush: event.target.checked })} /> Rush
        only
      </label>
      {(q || rush) && <Button onClick={() => set({ q: '', rush: false })}>Clear filters</Button>}
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
      placeholder="Number, team, company, name or sport"
      maxLength={searchLength}
      value={text}
      onChange={event => setText(event.target.value)}
    />
  );
}
