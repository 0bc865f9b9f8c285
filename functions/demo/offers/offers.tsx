/** Offers of a quote: one of them whole, or two side by side. */
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { Jerseys } from '../jersey/jersey.tsx';
import type { Client } from '../supabase.ts';
import { Button } from '../ui/button.tsx';
import { Facts, Notice, Skeleton } from '../ui/pieces.tsx';
import { compareOffers, describePlayer, type Offer, type Terms, termsOf, useOffers } from './offer.ts';

/** Players that are listed without being asked for. */
const fewPlayers = 20;

interface OffersDialogProps {
  client: Client;
  quoteId: string;
  /** The numbers of the offers; the first one is 0 to show the second one whole. */
  numbers: [before: number, after: number];
  onClose: () => void;
}

/** Compares two offers while it is rendered. */
export function OffersDialog({ client, quoteId, numbers, onClose }: OffersDialogProps) {
  const [before, after] = numbers;
  const { offers, hasFailed } = useOffers(client, quoteId, before, after);
  const [old, offer] = offers;
  const isWhole = before === 0;
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} className="dialog" aria-labelledby={id} onClose={onClose}>
      <h2 id={id}>{isWhole ? 'The offer' : 'Compare offers'}</h2>
      {hasFailed && <Notice kind="warning">The offers can’t be read at the moment. Trying again…</Notice>}
      {offer && isWhole && <Whole offer={offer} />}
      {offer && old && <Comparison before={old} after={offer} />}
      {!hasFailed && !(offer && (old || isWhole)) && <Skeleton lines={6} />}
      <form method="dialog" className="actions">
        <Button type="submit">Close</Button>
      </form>
    </dialog>
  );
}

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
          <Rows label="Picture" pairs={[[picture(before), picture(after)]]} />
        )}
        {differences.map(([label, pairs]) => (
          <Rows key={label} label={label} pairs={pairs} />
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
        <td>{before || '–'}</td>
        <td>{after || '–'}</td>
      </tr>
    ))}
  </tbody>
);

const picture = (offer: Terms) => <Jerseys {...offer} logo={offer.logo?.file_url} />;

interface WholeProps {
  offer: Terms;
  /** What else is said about it, by labels. */
  more?: Record<string, ReactNode>;
}

/** Shows all that an offer says. */
export function Whole({ offer, more }: WholeProps) {
  const { players } = offer.design;
  return (
    <div className="offers-whole">
      <div>
        {picture(offer)}
        {players.length > 0 && (
          <details open={players.length <= fewPlayers}>
            <summary>Names and numbers</summary>
            <p>{players.map(describePlayer).join('\n')}</p>
          </details>
        )}
      </div>
      <Facts rows={{ ...termsOf(offer), ...more }} />
    </div>
  );
}
