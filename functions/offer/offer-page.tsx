/** The page of an offer. It runs no script; Hono's JSX escapes every text. */
import { raw } from 'hono/html';
import type { Child, FC } from 'hono/jsx';
import type { Returned } from './answer.ts';
import { AnswerForms } from './answer-forms.tsx';
import { changesOf, isOffered, isOpen, type Offer, type ShownOffer } from './offer.ts';
import { Details, Pictures, Roster, termText } from './offer-details.tsx';
import { offerStyle } from './offer-style.ts';
import { formatTime, type Language } from './offer-texts.ts';

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
      {company && <p>{texts.for(company)}</p>}
      {returned && isOpen(shown) && (
        <p class="box wrong" role="alert">
          {returned.hasChanged ? texts.hasChanged : texts.invalid}
        </p>
      )}
      <State language={language} shown={shown} />
      <Changes language={language} shown={shown} />
      <Details language={language} shown={shown} />
      <Pictures offer={offer} />
      <Roster texts={texts} players={offer.players} />
      {isOpen(shown) && <AnswerForms {...props} />}
    </>
  );
};

/** What happened to the offer, and by whom. */
const State: FC<{ language: Language; shown: ShownOffer }> = ({ language, shown }) => {
  const { tag, texts } = language;
  const { answer } = shown;
  const zone = isOffered(shown) ? shown.time_zone : 'UTC';
  return (
    <div class="box" role="status">
      <p>{stateText(language, shown)}</p>
      {answer && shown.status !== 'expired' && (
        <p>
          {texts.answered(
            answer.signer === null
              ? texts.by[answer.by === 'seller' ? 'seller' : 'customer']
              : texts.bySigner(answer.signer),
            formatTime(tag, answer.at, zone) ?? '',
          )}
        </p>
      )}
    </div>
  );
};

function stateText({ tag, texts }: Language, shown: ShownOffer): string {
  const { status, answer } = shown;
  if (isOffered(shown) && shown.has_ended && (status === 'quoted' || status === 'expired')) {
    return texts.ended(formatTime(tag, shown.expires_at ?? '', shown.time_zone) ?? '');
  }
  if (status === 'quoted' && !isOpen(shown)) {
    return texts.readOnly;
  }
  return status === 'submitted' && answer ? texts.asked : (texts.status[status] ?? '');
}

/** What differs from the offer before, while that matters. */
const Changes: FC<Part> = ({ language, shown }) => {
  const { texts } = language;
  const { before, offer, status } = shown;
  const changes = changesOf(shown);
  if (before === null || changes.length === 0 || status !== 'quoted') {
    return null;
  }
  return (
    <section class="box" aria-labelledby="changes">
      <h2 id="changes">{texts.changed}</h2>
      <ul>
        {changes.map(name => (
          <li>
            {name === 'players' || name === 'design'
              ? texts.changes[name]
              : `${texts.changes[name]}: ${termText(name, before, language)} → ${termText(name, offer, language)}`}
          </li>
        ))}
      </ul>
    </section>
  );
};
