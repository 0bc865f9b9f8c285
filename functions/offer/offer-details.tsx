/** What is offered: terms, pictures and players. */
import type { Child, FC } from 'hono/jsx';
import type { ChangeName, Offer, Player, Terms } from './offer.ts';
import { formatPrice, formatTime, type Language } from './offer-language.ts';
import type { Texts } from './offer-texts.ts';
import { visibleLine } from './visible-text.ts';

/** Sizes in the order of a label; others follow. */
const sizes = 'XXS XS S M L XL XXL 2XL 3XL 4XL 5XL'.split(' ');

function rankOf(size: string): number {
  const rank = sizes.indexOf(size.toUpperCase());
  return rank < 0 ? sizes.length : rank;
}

/** Returns the values of an object by their names, and those of an object inside it by the names of both. */
const namedPairs = (values: object | null, path = ''): [string, string][] =>
  Object.entries(values ?? {})
    .flatMap(([name, value]): [string, string][] =>
      typeof value === 'object'
        ? namedPairs(value, `${path}${name} `)
        : [[visibleLine(path + name), visibleLine(String(value))]],
    )
    .sort(([a], [b]) => rankOf(a) - rankOf(b));

/** Returns a term as a text. */
export function termText(
  name: Exclude<ChangeName, 'players' | 'design'>,
  terms: Terms,
  { tag, texts }: Language,
): string {
  switch (name) {
    case 'unit_price':
      // A third of a total has no end.
      return terms[name] === null ? texts.none : formatPrice(tag, terms[name], terms.currency, 4);
    case 'total_price':
      return terms[name] === null ? texts.none : formatPrice(tag, terms[name], terms.currency);
    case 'rush_order':
      return terms[name] ? texts.yes : texts.no;
    case 'size_breakdown':
      return joined(namedPairs(terms[name]).map(([size, count]) => `${count} × ${size}`)) ?? texts.none;
    case 'colors':
      return joined(namedPairs(terms[name]).map(pair => pair.join(' '))) ?? texts.none;
    case 'roster_count':
      return terms[name] === null ? texts.none : new Intl.NumberFormat(tag).format(terms[name]);
    case 'sport':
      return sportName(texts, terms[name]);
  }
}

/** Returns the name of a sport, which the builder writes as `soccer` or `field_hockey`. */
function sportName({ sports }: Texts, sport: string): string {
  const shown = visibleLine(sport.replaceAll('_', ' '));
  return sports[sport] ?? shown.charAt(0).toUpperCase() + shown.slice(1);
}

const joined = (parts: string[]): string | undefined => parts.join(', ') || undefined;

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

export const Details: FC<{ language: Language; shown: Offer }> = ({ language, shown }) => {
  const { tag, texts } = language;
  const { offer, expires_at, time_zone } = shown;
  const end = expires_at && formatTime(tag, expires_at, time_zone);
  const colors = namedPairs(offer.colors);
  return (
    <section aria-labelledby="details">
      <h2 id="details">{texts.details}</h2>
      <dl>
        {offer.unit_price !== null && (
          <Row name={texts.unitPrice}>{termText('unit_price', offer, language)}</Row>
        )}
        {offer.total_price !== null && (
          <Row name={texts.totalPrice} class="total">
            {termText('total_price', offer, language)}
          </Row>
        )}
        {end && <Row name={texts.validUntil}>{end}</Row>}
        <Row name={texts.sport}>{termText('sport', offer, language)}</Row>
        {offer.roster_count !== null && (
          <Row name={texts.rosterCount}>{termText('roster_count', offer, language)}</Row>
        )}
        {namedPairs(offer.size_breakdown).length > 0 && (
          <Row name={texts.sizes}>{termText('size_breakdown', offer, language)}</Row>
        )}
        {colors.length > 0 && (
          <Row name={texts.colors}>
            {colors.map(([name, value]) => (
              <span class="pair">
                <Swatch color={value} />
                {name} {value}
              </span>
            ))}
          </Row>
        )}
        {offer.rush_order && <Row name={texts.rush}>{texts.yes}</Row>}
        <Row name={texts.offeredOn}>{formatTime(tag, offer.created_at, time_zone)}</Row>
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

/** Pictures over https. They have no alternative text, since the details say what is offered: a broken one leaves no gap. */
export const Pictures: FC<{ offer: Terms }> = ({ offer }) => {
  const sources = [offer.preview_front_url, offer.preview_back_url].flatMap(url =>
    url !== null && /^https:\/\//i.test(url) ? [url] : [],
  );
  return sources.length === 0 ? null : (
    <div class="pictures">
      {sources.map(source => (
        <img src={source} alt="" referrerpolicy="no-referrer" />
      ))}
    </div>
  );
};

/** Most players that builder.players_of returns. */
const mostPlayers = 1000;

export const Roster: FC<{ texts: Texts; players: Player[] | null }> = ({ texts, players }) =>
  players === null || players.length === 0 ? null : (
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
              <td>{name && visibleLine(name)}</td>
              <td>{number && visibleLine(number)}</td>
              <td>{size && visibleLine(size)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {players.length >= mostPlayers && <p>{texts.morePlayers(mostPlayers)}</p>}
    </section>
  );
