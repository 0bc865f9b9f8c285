/** Offers of a quote: one of them whole, or two side by side. */
import type { ReactNode } from 'react';
import { Jerseys } from '../jersey/jersey.tsx';
import type { Client } from '../supabase.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Facts } from '../ui/pieces.tsx';
import { useLibrary } from '../use-library.ts';
import type { OfferRow } from './history.ts';
import { compareOffers, describePlayer, type Offer, offerOf, type Terms, termsOf } from './offer.ts';

/** Players that are listed without being asked for. */
const fewPlayers = 20;

interface OffersDialogProps {
  client: Client;
  after: OfferRow;
  /** The offer to compare it with; without one, it is shown whole. */
  before: OfferRow | undefined;
  onClose: () => void;
}

/** Compares two offers while it is rendered. */
export function OffersDialog({ client, after, before, onClose }: OffersDialogProps) {
  const library = useLibrary(client);
  const offer = offerOf(after, library);
  return (
    <Dialog title={before ? 'Compare offers' : 'The offer'} dismiss="Close" onCancel={onClose}>
      {before ? <Comparison before={offerOf(before, library)} after={offer} /> : <Whole offer={offer} />}
    </Dialog>
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
