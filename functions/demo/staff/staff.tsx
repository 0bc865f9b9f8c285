/** The desk of the staff: the quotes that wait, longest first, and beside them the one that is open. */
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { Filters, StateNav } from './filters.tsx';
import { hashOf, usePlace } from './place.ts';
import { Queue } from './queue.tsx';
import { QuoteView } from './quote-view.tsx';

/** Whether there is no room for the list of states beside the quotes. */
const narrow = matchMedia('(max-width: 63.99rem)');

function onNarrow(onChange: () => void): () => void {
  narrow.addEventListener('change', onChange);
  return () => narrow.removeEventListener('change', onChange);
}

export function Staff() {
  const place = usePlace();
  const isNarrow = useSyncExternalStore(onNarrow, () => narrow.matches);
  const isMenu = isNarrow || place.quote !== '';
  const open = useRef<HTMLElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const previous = useRef(place.quote);
  // The focus goes into a quote that is opened, and back to its line when it is closed, or to the heading if that is gone.
  useEffect(() => {
    if (place.quote !== previous.current) {
      const line = document.getElementById(`line ${place.quote || previous.current}`);
      line?.scrollIntoView({ block: 'nearest' });
      (place.quote ? open.current : (line ?? heading.current))?.focus();
      previous.current = place.quote;
    }
  }, [place.quote]);
  return (
    <main className={`page desk ${place.quote && 'has-open'}`}>
      <h2 ref={heading} tabIndex={-1}>
        Quotes
      </h2>
      {!isMenu && <StateNav place={place} />}
      <div className="desk-list">
        {isMenu && <StateNav place={place} isMenu />}
        <Filters place={place} />
        <Queue place={place} />
      </div>
      {place.quote && (
        <section className="desk-open" ref={open} tabIndex={-1} aria-label="Open quote">
          <a className="back" href={hashOf({ ...place, quote: '' })}>
            ← All quotes
          </a>
          <QuoteView key={place.quote} id={place.quote} />
        </section>
      )}
    </main>
  );
}
