/** The page of an offer. It runs no script; Hono's JSX escapes every text. */
import { raw } from 'hono/html';
import type { Child, FC } from 'hono/jsx';
import type { Returned } from './answer.ts';
import { AnswerForms } from './answer-forms.tsx';
import {
  type AnswerGiven,
  type ChangeName,
  isOffered,
  isOpen,
  type Offer,
  type ShownOffer,
  type Terms,
} from './offer.ts';
import { Details, Pictures, Roster, termText } from './offer-details.tsx';
import { formatTime, type Language } from './offer-language.ts';
import { offerStyle } from './offer-style.ts';
import { visibleLine } from './visible-text.ts';

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

/** Renders the page that says why there is nothing to show. */
export const renderNotice = (language: Language, text: string): string =>
  render(
    <Page language={language}>
      <h1>{language.texts.title}</h1>
      <p>{text}</p>
    </Page>,
  );

/** Renders the page of a live link. `action`: where its forms are sent. `returned`: an answer that was not taken. */
export const renderOffer = (
  language: Language,
  shown: ShownOffer,
  action: string,
  returned?: Returned,
): string =>
  render(
    <Page language={language}>
      {shown.seller && <header class="seller lines">{shown.seller}</header>}
      {isOffered(shown) ? (
        <OfferContent language={language} shown={shown} action={action} returned={returned} />
      ) : (
        <>
          <h1>{language.texts.title}</h1>
          <State language={language} shown={shown} />
        </>
      )}
    </Page>,
  );

interface Part {
  language: Language;
  shown: Offer;
}

const OfferContent: FC<Part & { action: string; returned: Returned | undefined }> = props => {
  const { language, shown, returned } = props;
  const { texts } = language;
  const { offer, terms, quote_number, company, status } = shown;
  return (
    <>
      {terms && (
        <section class="box sale" aria-labelledby="sale" tabindex={0}>
          <h2 id="sale">{texts.termsOfSale}</h2>
          <div class="lines">{terms}</div>
        </section>
      )}
      <h1>{status === 'ordered' ? texts.order(quote_number) : texts.offer(quote_number)}</h1>
      {company && <p>{texts.for(visibleLine(company))}</p>}
      {returned && isOpen(shown) && <Refusal language={language} shown={shown} returned={returned} />}
      <State language={language} shown={shown} />
      <Changes language={language} shown={shown} returned={returned} />
      <Details language={language} shown={shown} />
      <Pictures offer={offer} />
      <Roster texts={texts} players={offer.players} />
      {isOpen(shown) && <AnswerForms {...props} />}
    </>
  );
};

/** Whether the changes that are shown are those since the offer that was answered. */
const isSinceRead = ({ changes_since }: Offer, returned: Returned | undefined): boolean =>
  returned?.answer.offer === String(changes_since);

/** Why an answer was not taken. */
const Refusal: FC<Part & { returned: Returned }> = ({ language, shown, returned }) => {
  const { texts } = language;
  const { offer, termsDigest } = returned.answer;
  const isSame = isSinceRead(shown, returned) && shown.changes.length === 0;
  const hasChanged = returned.hasChanged || offer !== String(shown.offer.number);
  const reasons = [
    ...(hasChanged ? [isSame ? texts.madeAgain : texts.hasChanged] : []),
    ...(termsDigest !== null && termsDigest !== shown.terms_digest ? [texts.hasOtherTerms] : []),
    ...(returned.issues.length > 0 ? [texts.invalid] : []),
  ];
  return (
    <div class="box wrong screen" role="alert">
      {reasons.map(reason => (
        <p>{reason}</p>
      ))}
      <p>{texts.nothingSent}</p>
    </div>
  );
};

/** What happened to the offer, and by whom. What can be done with it now is not printed. */
const State: FC<{ language: Language; shown: ShownOffer }> = ({ language, shown }) => {
  const lines = stateLines(language, shown);
  const isCurrent = isOffered(shown) && shown.status === 'quoted' && !shown.has_ended;
  return (
    <div class={isCurrent ? 'box screen' : 'box'} role="status">
      {lines.map(line => (
        <p>{line}</p>
      ))}
    </div>
  );
};

function stateLines(language: Language, shown: ShownOffer): string[] {
  const { texts } = language;
  const { status, answer } = shown;
  const earlier = isOffered(shown) ? shown.earlier_answer : null;
  if (isOffered(shown) && earlier) {
    const what = earlier.status === 'approved' ? 'approved' : 'rejected';
    const change = shown.changes.length > 0 ? texts.changedSince[what] : texts.sameSince[what];
    return [
      ...(status === 'ordered' ? [texts.ordered] : []),
      change,
      texts.earlier[what](...answeredBy(language, earlier, shown.time_zone)),
    ];
  }
  const by =
    answer &&
    status !== 'expired' &&
    answeredBy(language, answer, isOffered(shown) ? shown.time_zone : 'UTC');
  return [stateText(language, shown), ...(by ? [texts.answered(...by)] : [])];
}

/** Returns who answered, in the middle of a sentence, and when. */
const answeredBy = (
  { tag, texts }: Language,
  { signer, by, at }: AnswerGiven,
  zone: string,
): [by: string, time: string] => [
  signer === null ? texts.by[by === 'seller' ? 'seller' : 'customer'] : texts.bySigner(signer),
  formatTime(tag, at, zone) ?? '',
];

function stateText({ tag, texts }: Language, shown: ShownOffer): string {
  const { status, answer } = shown;
  if (isOffered(shown) && shown.has_ended && (status === 'quoted' || status === 'expired')) {
    return texts.ended(formatTime(tag, shown.expires_at ?? '', shown.time_zone) ?? '');
  }
  if (status === 'quoted' && !isOpen(shown)) {
    return texts.readOnly;
  }
  if (status === 'ordered' && answer === null) {
    return texts.ordered;
  }
  return status === 'submitted' && answer ? texts.asked : (texts.status[status] ?? '');
}

/** What differs from an earlier offer: with the terms of the offer before, else by name. */
const Changes: FC<Part & { returned: Returned | undefined }> = ({ language, shown, returned }) => {
  const { texts } = language;
  const { before, offer, changes, earlier_answer } = shown;
  const since = earlier_answer ? 'answered' : isSinceRead(shown, returned) ? 'read' : 'before';
  if (changes.length === 0) {
    return null;
  }
  return (
    <section class="box" aria-labelledby="changes">
      <h2 id="changes">{texts.changed[since]}</h2>
      <ul>
        {changes.map(name => (
          <li>{changeText(language, name, before, offer)}</li>
        ))}
      </ul>
    </section>
  );
};

/** Returns a change with both terms, if they are shown and look different. */
function changeText(language: Language, name: ChangeName, before: Terms | null, offer: Terms): string {
  const called = language.texts.changes[name];
  if (name === 'players' || name === 'design' || before === null) {
    return called;
  }
  const [was, is] = [termText(name, before, language), termText(name, offer, language)];
  return was === is ? called : `${called}: ${was} → ${is}`;
}
