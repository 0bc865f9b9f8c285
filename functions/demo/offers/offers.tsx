/** An offer whole, with what differs from another one. */
import type { ReactNode } from 'react';
import { Jerseys } from '../jersey/jersey.tsx';
import type { Client } from '../supabase.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Facts } from '../ui/pieces.tsx';
import { useLibrary } from '../use-library.ts';
import type { OfferRow } from './history.ts';
import { compareOffers, describePlayer, type Offer, offerOf, termsOf } from './offer.ts';

/** Players that are listed without being asked for. */
const fewPlayers = 20;

interface OffersDialogProps {
  client: Client;
  after: OfferRow;
  /** The offer to compare it with, if there is one. */
  before: OfferRow | undefined;
  onClose: () => void;
}

/** Shows an offer while it is rendered. */
export function OffersDialog({ client, after, before, onClose }: OffersDialogProps) {
  const library = useLibrary(client);
  const offer = offerOf(after, library);
  const changes = before ? compareOffers(offerOf(before, library), offer) : [];
  const rows = changes.map(([label, was, is]): [string, ReactNode] => [
    label,
    <>
      {is || 'none'} <mark>{`instead of ${was || 'none'}`}</mark>
    </>,
  ]);
  return (
    <Dialog title={`Offer ${after.number}`} dismiss="Close" onCancel={onClose}>
      {before && (
        <p>{`Compared with offer ${before.number}${rows.length > 0 ? ':' : ': nothing differs.'}`}</p>
      )}
      <Whole offer={offer} more={Object.fromEntries(rows)} />
    </Dialog>
  );
}

interface WholeProps {
  offer: Offer;
  /** What else is said about it, by labels. */
  more?: Record<string, ReactNode>;
}

/** Shows all that an offer says. */
export function Whole({ offer, more }: WholeProps) {
  const { players } = offer.design;
  return (
    <div className="offers-whole">
      <div>
        <Jerseys {...offer} logo={offer.logo?.file_url} />
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
