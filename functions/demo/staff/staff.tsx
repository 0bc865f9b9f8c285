/** The desk of the staff: the quotes that wait, longest first, and beside them the one that is open. */
import { useEffect, useRef } from 'react';
import { Filters, StateNav } from './filters.tsx';
import { hashOf, usePlace } from './place.ts';
import { Queue } from './queue.tsx';
import { QuoteView } from './quote-view.tsx';

export function Staff() {
  const place = usePlace();
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
      {!place.quote && <StateNav place={place} />}
      <div className="desk-list">
        {place.quote && <StateNav place={place} />}
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
