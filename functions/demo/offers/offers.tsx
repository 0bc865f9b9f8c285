/** Offers of a quote: two of them side by side, and the one that was approved. */
import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import { colorName } from '../jersey/design.ts';
import { Jersey } from '../jersey/jersey.tsx';
import type { Client } from '../supabase.ts';
import { Button } from '../ui/button.tsx';
import { Choice } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { Facts, Skeleton } from '../ui/pieces.tsx';
import { compareOffers, describePlayer, termsOf } from './compare-offers.ts';
import { type Offer, useOffers } from './read-offers.ts';

/** The names of offers, by their numbers. */
export type OfferNames = Map<number, string>;

/** Players that are listed without being asked for. */
const fewPlayers = 20;

interface OffersProps {
  client: Client;
  quoteId: string;
  names: OfferNames;
}

interface OffersDialogProps extends OffersProps {
  /** The numbers of the offers to begin with; the first one is 0 to show the second one whole. */
  numbers: [before: number, after: number];
  onClose: () => void;
}

/** Compares two offers while it is rendered; which ones can be chosen. */
export function OffersDialog({ client, quoteId, names, numbers, onClose }: OffersDialogProps) {
  const [[before, after], setNumbers] = useState(numbers);
  const { offers, hasFailed } = useOffers(client, quoteId, before, after);
  const [old, offer] = offers;
  const isWhole = before === 0;
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} className="dialog offers" aria-labelledby={id} onClose={onClose}>
      <h2 id={id}>{isWhole ? 'The offer' : 'Compare offers'}</h2>
      {names.size > 1 && (
        <div className="offers-chosen">
          <Choice
            label="Compare"
            name="before"
            options={{ 0: 'Nothing', ...Object.fromEntries(names) }}
            value={before}
            onChange={event => setNumbers([Number(event.target.value), after])}
          />
          <Choice
            label="with"
            name="after"
            options={Object.fromEntries(names)}
            value={after}
            onChange={event => setNumbers([before, Number(event.target.value)])}
          />
        </div>
      )}
      {hasFailed && <Unread />}
      {offer && isWhole && <Whole offer={offer} />}
      {offer && old && <Comparison before={old} after={offer} />}
      {!hasFailed && !(offer && (old || isWhole)) && <Skeleton lines={6} />}
      <form method="dialog" className="actions">
        <Button type="submit">Close</Button>
      </form>
    </dialog>
  );
}

const Unread = () => <Notice kind="warning">The offers can’t be read at the moment. Trying again…</Notice>;

function Comparison({ before, after }: { before: Offer; after: Offer }) {
  const { differences, same } = compareOffers(before, after);
  return (
    <>
      {differences.length === 0 && <p>What is shown of these two offers is the same.</p>}
      <table className="offers-table">
        <caption className="visually-hidden">What differs</caption>
        <thead>
          <tr>
            <th scope="col">Offer {before.number}</th>
            <th scope="col">Offer {after.number}</th>
          </tr>
        </thead>
        {lookOf(before) !== lookOf(after) && (
          <Rows label="Picture" pairs={[[<Jerseys key={0} {...before} />, <Jerseys key={1} {...after} />]]} />
        )}
        {differences.map(([label, pairs]) => (
          <Rows key={label} label={label} pairs={pairs.map(([old, text]) => [show(old), show(text)])} />
        ))}
      </table>
      {same.length > 0 && <p className="muted">The same in both: {same.join(', ').toLowerCase()}.</p>}
    </>
  );
}

/** Returns what the picture depends on, but for the player who wears it. */
const lookOf = ({ design: { players: _, ...look } }: Offer): string => JSON.stringify(look);

const Rows = ({ label, pairs }: { label: string; pairs: [ReactNode, ReactNode][] }) => (
  <tbody>
    <tr>
      <th colSpan={2} scope="rowgroup">
        {label}
      </th>
    </tr>
    {pairs.map(([before, after], index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their place.
      <tr key={index}>
        <td>{before}</td>
        <td>{after}</td>
      </tr>
    ))}
  </tbody>
);

/** Shows a text, a color with its name, or that there is none. */
const show = (text: string): ReactNode =>
  /^#[0-9a-f]{6}$/i.test(text) ? (
    <span className="offers-color">
      <svg viewBox="0 0 1 1" aria-hidden="true">
        <path d="M0 0h1v1H0z" fill={text} />
      </svg>
      {colorName(text)}
    </span>
  ) : (
    text || '–'
  );

/** Shows both sides of the jersey of an offer. */
const Jerseys = ({ customization, colors, logo }: Offer) => (
  <div className="jerseys">
    <Jersey customization={customization} colors={colors} side="front" logo={logo?.file_url} />
    <Jersey customization={customization} colors={colors} side="back" />
  </div>
);

/** Shows all that an offer says. */
function Whole({ offer }: { offer: Offer }) {
  const { players } = offer.design;
  const terms = Object.entries(termsOf(offer)).filter(([, text]) => text !== '');
  return (
    <div className="offers-whole">
      <div>
        <Jerseys {...offer} />
        {players.length > 0 && (
          <details open={players.length <= fewPlayers}>
            <summary>Names and numbers</summary>
            <p>{players.map(describePlayer).join('\n')}</p>
          </details>
        )}
      </div>
      <Facts rows={Object.fromEntries(terms.map(([label, text]) => [label, show(text)]))} />
    </div>
  );
}

interface ApprovedProps extends OffersProps {
  title: string;
  number: number;
  /** The button that compares it with the newest offer, if that is another one. */
  children: ReactNode;
}

/** Shows the offer that was approved, whatever the quote has become since. */
export function Approved({ client, quoteId, names, title, number, children }: ApprovedProps) {
  const {
    offers: [offer],
    hasFailed,
  } = useOffers(client, quoteId, number);
  return (
    <section className="card" aria-labelledby="approved">
      <div className="card-head">
        <h3 id="approved">
          {title} <span className="muted">{names.get(number)}</span>
        </h3>
        {children}
      </div>
      {offer ? <Whole offer={offer} /> : hasFailed ? <Unread /> : <Skeleton />}
    </section>
  );
}
