/** The page of an offer. It runs no script; Hono's JSX escapes every text. */

import { raw } from 'hono/html';
import type { Child, FC } from 'hono/jsx';
import type { Returned } from './answer.ts';
import { AnswerForms } from './answer-forms.tsx';
import {
  type ChangeName,
  changesOf,
  isOffered,
  isOpen,
  type Offer,
  type ShownOffer,
  type Terms,
} from './offer.ts';
import { offerStyle } from './offer-style.ts';
import { formatPrice, formatTime, type Language } from './offer-texts.ts';

/** A page's title has neither a price nor a club: a browser's history and tabs show it. */
const Page: FC<{ language: Language; children?: Child }> = ({ language, children }) => (
  <html lang={language.tag}>
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>{language.texts.title}</title>
      <style>{raw(offerStyle)}</style>
    </head>
    <body>
      <main>{children}</main>
    </body>
  </html>
);

const render = (page: unknown): string => `<!doctype html>${String(page)}`;

export const renderNotice = (language: Language, text: string): string =>
  render(
    <Page language={language}>
      <h1>{language.texts.title}</h1>
      <p>{text}</p>
    </Page>,
  );

export function renderOffer(
  language: Language,
  shown: ShownOffer,
  action: string,
  returned?: Returned,
): string {
  const { texts } = language;
  const { seller } = shown;
  return render(
    <Page language={language}>
      {seller ? <header class="seller lines">{seller}</header> : ''}
      {isOffered(shown) ? (
        <OfferContent language={language} shown={shown} action={action} returned={returned} />
      ) : (
        <>
          <h1>{texts.title}</h1>
          <State language={language} shown={shown} />
        </>
      )}
    </Page>,
  );
}

interface Part {
  language: Language;
  shown: Offer;
}

const OfferContent: FC<Part & { action: string; returned: Returned | undefined }> = props => {
  const { language, shown, action, returned } = props;
  const { texts } = language;
  const { offer, terms, quote_number, company, status } = shown;
  return (
    <>
      {terms ? (
        <section class="box sale" aria-labelledby="sale" tabindex={0}>
          <h2 id="sale">{texts.termsOfSale}</h2>
          <div class="lines">{terms}</div>
        </section>
      ) : (
        ''
      )}
      <h1>{status === 'ordered' ? texts.order(quote_number) : texts.offer(quote_number)}</h1>
      {company ? <p>{texts.for(company)}</p> : ''}
      {returned ? (
        <p class="box wrong" role="alert">
          {returned.hasChanged ? texts.hasChanged : texts.invalid}
        </p>
      ) : (
        ''
      )}
      <State language={language} shown={shown} />
      <Changes language={language} shown={shown} />
      <Pictures offer={offer} />
      <Details language={language} shown={shown} />
      <Roster language={language} shown={shown} />
      {isOpen(shown) ? (
        <AnswerForms language={language} shown={shown} action={action} returned={returned} />
      ) : (
        ''
      )}
    </>
  );
};

/** What happened to the offer, and by whom. */
const State: FC<{ language: Language; shown: ShownOffer }> = ({ language, shown }) => {
  const { tag, texts } = language;
  const { status, answer } = shown;
  const zone = isOffered(shown) ? shown.time_zone : 'UTC';
  const end = isOffered(shown) && shown.expires_at ? formatTime(tag, shown.expires_at, zone) : undefined;
  const hasEnded = isOffered(shown) && status === 'quoted' && shown.has_ended;
  const text =
    hasEnded || (status === 'expired' && end)
      ? texts.ended(end ?? '')
      : status === 'submitted' && answer
        ? texts.asked
        : (texts.status[status] ?? '');
  const by = answer?.signer
    ? texts.bySigner(answer.signer)
    : answer && texts.by[answer.by === 'seller' ? 'seller' : 'customer'];
  return (
    <div class="box" role="status">
      <p>{status === 'quoted' && !hasEnded && !isOpen(shown) ? texts.readOnly : text}</p>
      {answer && by && status !== 'expired' ? (
        <p>{texts.answered(by, formatTime(tag, answer.at, zone) ?? '')}</p>
      ) : (
        ''
      )}
    </div>
  );
};

/** What differs from the offer before. Afterwards nothing is left to compare. */
const Changes: FC<Part> = ({ language, shown }) => {
  const { texts } = language;
  const { before, offer, status } = shown;
  const changes = status === 'quoted' ? changesOf(shown) : [];
  if (before === null || changes.length === 0) {
    return null;
  }
  return (
    <section class="box changes" aria-labelledby="changes">
      <h2 id="changes">{texts.changed}</h2>
      <ul>
        {changes.map(name => (
          <li>
            {name === 'players' || name === 'design'
              ? texts.changes[name]
              : `${texts.changes[name]}: ${texts.becomes(termText(name, before, language), termText(name, offer, language))}`}
          </li>
        ))}
      </ul>
    </section>
  );
};

/** Sizes in the order of a label; others follow. */
const sizes = 'XXS XS S M L XL XXL 2XL 3XL 4XL 5XL'.split(' ');
const rankOf = (size: string): number =>
  (sizes.indexOf(size.toUpperCase()) + sizes.length + 1) % (sizes.length + 1);

/** Returns the texts and numbers of an object by their names. */
const namedPairs = (values: Record<string, unknown> | null): [string, string][] =>
  Object.entries(values ?? {})
    .filter(([, value]) => ['string', 'number'].includes(typeof value))
    .map(([name, value]): [string, string] => [name, String(value)])
    .sort(([a], [b]) => rankOf(a) - rankOf(b));

/** Returns a term as a text. */
function termText(
  name: Exclude<ChangeName, 'players' | 'design'>,
  terms: Terms,
  { tag, texts }: Language,
): string {
  switch (name) {
    case 'unit_price':
    case 'total_price':
      return terms[name] === null ? texts.none : formatPrice(tag, terms[name], terms.currency);
    case 'rush_order':
      return terms[name] ? texts.yes : texts.no;
    case 'size_breakdown':
    case 'colors':
      return (
        namedPairs(terms[name])
          .map(([key, value]) => (name === 'colors' ? `${key} ${value}` : `${value} × ${key}`))
          .join(', ') || texts.none
      );
    case 'roster_count':
      return terms[name] === null ? texts.none : new Intl.NumberFormat(tag).format(terms[name]);
    case 'sport':
      return terms[name];
  }
}

/** Pictures over https. They have no alternative text, since the details say what is offered: a broken one leaves no gap. */
const Pictures: FC<{ offer: Terms }> = ({ offer }) => {
  const sources = [offer.preview_front_url, offer.preview_back_url].filter(url =>
    /^https:\/\//i.test(url ?? ''),
  );
  return sources.length === 0 ? null : (
    <div class="pictures">
      {sources.map(source => (
        <img src={source ?? ''} alt="" referrerpolicy="no-referrer" />
      ))}
    </div>
  );
};

const Row: FC<{ name: string; class?: string; children?: Child }> = ({
  name,
  class: className,
  children,
}) => (
  <div class={className}>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

const Details: FC<Part> = ({ language, shown }) => {
  const { tag, texts } = language;
  const { offer, expires_at, time_zone } = shown;
  const { unit_price, total_price, roster_count, size_breakdown, colors, rush_order, created_at } = offer;
  const end = expires_at && formatTime(tag, expires_at, time_zone);
  return (
    <section aria-labelledby="details">
      <h2 id="details">{texts.details}</h2>
      <dl>
        {unit_price === null ? (
          ''
        ) : (
          <Row name={texts.unitPrice}>{termText('unit_price', offer, language)}</Row>
        )}
        {total_price === null ? (
          ''
        ) : (
          <Row name={texts.totalPrice} class="total">
            {termText('total_price', offer, language)}
          </Row>
        )}
        {end ? <Row name={texts.validUntil}>{end}</Row> : ''}
        <Row name={texts.sport}>{offer.sport}</Row>
        {roster_count === null ? (
          ''
        ) : (
          <Row name={texts.rosterCount}>{termText('roster_count', offer, language)}</Row>
        )}
        {namedPairs(size_breakdown).length > 0 ? (
          <Row name={texts.sizes}>{termText('size_breakdown', offer, language)}</Row>
        ) : (
          ''
        )}
        {namedPairs(colors).length > 0 ? (
          <Row name={texts.colors}>
            {namedPairs(colors).map(([name, value]) => (
              <span class="pair">
                <Swatch color={value} />
                {name} {value}
              </span>
            ))}
          </Row>
        ) : (
          ''
        )}
        {rush_order ? <Row name={texts.rush}>{texts.yes}</Row> : ''}
        <Row name={texts.offeredOn}>{formatTime(tag, created_at, time_zone)}</Row>
      </dl>
    </section>
  );
};

/** An attribute of SVG colors it, since the policy allows no style of an element. */
const Swatch: FC<{ color: string }> = ({ color }) =>
  /^#(?:[\da-f]{3}|[\da-f]{6})$/i.test(color) ? (
    <svg viewBox="0 0 10 10" aria-hidden="true">
      <circle cx="5" cy="5" r="4.5" fill={color} stroke="gray" />
    </svg>
  ) : null;

/** Most players that builder.players_of returns. */
const mostPlayers = 1000;

const Roster: FC<Part> = ({ language: { texts }, shown }) => {
  const { players } = shown.offer;
  if (!players?.length) {
    return null;
  }
  return (
    <section aria-labelledby="roster">
      <h2 id="roster">{texts.roster}</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">{texts.playerName}</th>
            <th scope="col">{texts.playerNumber}</th>
            <th scope="col">{texts.playerSize}</th>
          </tr>
        </thead>
        <tbody>
          {players.map(({ name, number, size }) => (
            <tr>
              <td>{name}</td>
              <td>{number}</td>
              <td>{size}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {players.length >= mostPlayers ? <p>{texts.morePlayers(mostPlayers)}</p> : ''}
    </section>
  );
};
