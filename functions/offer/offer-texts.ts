/** The texts of an offer's page in each of its languages, and how a language writes amounts and times. */
import type { ChangeName } from './offer.ts';

const english = {
  title: 'Offer',
  offer: (number: string) => `Offer ${number}`,
  order: (number: string) => `Order ${number}`,
  for: (company: string) => `For ${company}`,
  termsOfSale: 'Terms of sale',
  details: 'What is offered',
  unitPrice: 'Each',
  totalPrice: 'Total',
  rosterCount: 'Number of players',
  sizes: 'Sizes',
  sport: 'Sport',
  sports: {} as Record<string, string>,
  colors: 'Colors',
  rush: 'Rush order',
  yes: 'Yes',
  no: 'No',
  validUntil: 'Valid until',
  offeredOn: 'Offered on',
  none: 'none',
  roster: 'Players',
  playerName: 'Name',
  playerNumber: 'Number',
  playerSize: 'Size',
  morePlayers: (count: number) => `Only the first ${count} are shown.`,
  changed: {
    before: 'Changed since the offer before',
    read: 'Changed since the offer that you read',
    answered: 'Changed since the earlier offer',
  },
  changes: {
    unit_price: 'Price for each',
    total_price: 'Total price',
    roster_count: 'Number of players',
    size_breakdown: 'Sizes',
    rush_order: 'Rush order',
    sport: 'Sport',
    colors: 'Colors',
    players: 'The players have changed.',
    design: 'The design has changed.',
  } satisfies Record<ChangeName, string>,
  hasChanged: 'The offer changed after you opened it. Please read it again.',
  madeAgain: 'The offer was made again after you opened it, with the same terms. Please answer it again.',
  hasOtherTerms: 'The terms of sale changed after you opened the offer. Please read them again.',
  invalid: 'Please complete the form.',
  nothingSent: 'Nothing was sent.',
  ended: (time: string) => `This offer ended on ${time}. Please ask the seller for a new one.`,
  status: {
    draft: 'This offer is being revised. It can be opened here when there is a new one.',
    submitted: 'This offer is being revised. It can be opened here when there is a new one.',
    quoted: 'This offer can be approved.',
    approved: 'This offer was approved.',
    rejected: 'This offer was declined.',
    expired: 'This offer has ended. Please ask the seller for a new one.',
    ordered: 'This offer was approved, and is ordered.',
    cancelled: 'This offer was cancelled.',
  } as Record<string, string>,
  ordered: 'This offer is ordered.',
  changedSince: {
    approved: 'The offer has changed since it was approved.',
    rejected: 'The offer has changed since it was declined.',
  },
  sameSince: {
    approved: 'It was made again after it was approved, with the same terms.',
    rejected: 'This offer was made again after it was declined, with the same terms.',
  },
  earlier: {
    approved: (by: string, time: string) => `The earlier offer was approved ${by}, ${time}.`,
    rejected: (by: string, time: string) => `The earlier offer was declined ${by}, ${time}.`,
  },
  asked: 'Changes were asked for. The offer can be opened here when there is a new one.',
  by: { customer: 'by the customer', seller: 'by the seller' },
  answered: (by: string, time: string) => `${by.charAt(0).toUpperCase()}${by.slice(1)}, ${time}.`,
  bySigner: (name: string) => `by ${name}`,
  readOnly:
    'This link only shows the offer. The customer who asked for it can approve it, or share a link for approving it.',
  answer: 'Your answer',
  decline: 'Decline',
  ask: 'Ask for changes',
  approveThis: (price: string) => `Approve for ${price}`,
  yourName: 'Your name',
  message: 'Message (optional)',
  reason: 'Reason',
  wish: 'What should change?',
  sendDecline: 'Decline the offer',
  sendAsk: 'Send the request',
  agree: 'With your approval you agree to the terms of sale above.',
  missing: { name: 'Please enter your name.', said: 'Please say why, or what should change.' } as Record<
    string,
    string
  >,
  tooLong: {
    name: 'This name is too long. Please shorten it.',
    said: 'This is too long: at most 1,000 characters.',
  } as Record<string, string>,
  failures: {
    404: 'This link is invalid or has ended. Please ask whoever sent it for a new one.',
    403: 'This link only shows the offer. Please ask the customer who asked for it for a link for approving it.',
    405: 'This page can only be opened, or sent as its form.',
    429: 'Too many requests. Please wait ten seconds, and try again.',
    503: 'The offer can’t be opened at the moment. Please try again in a few minutes: it then shows whether an answer was received.',
    other: 'This did not work, and nothing was sent. Please open the link again, or ask the seller.',
  } as Record<number, string> & { other: string },
};

export type Texts = typeof english;

const german: Texts = {
  title: 'Angebot',
  offer: number => `Angebot ${number}`,
  order: number => `Auftrag ${number}`,
  for: company => `Für ${company}`,
  termsOfSale: 'Verkaufsbedingungen',
  details: 'Was angeboten wird',
  unitPrice: 'Je Stück',
  totalPrice: 'Gesamt',
  rosterCount: 'Anzahl der Spieler',
  sizes: 'Größen',
  sport: 'Sportart',
  sports: {
    football: 'American Football',
    hockey: 'Hockey',
    soccer: 'Fußball',
  },
  colors: 'Farben',
  rush: 'Eilauftrag',
  yes: 'Ja',
  no: 'Nein',
  validUntil: 'Gültig bis',
  offeredOn: 'Angeboten am',
  none: 'keine',
  roster: 'Spieler',
  playerName: 'Name',
  playerNumber: 'Nummer',
  playerSize: 'Größe',
  morePlayers: count => `Nur die ersten ${count} werden gezeigt.`,
  changed: {
    before: 'Geändert seit dem vorigen Angebot',
    read: 'Geändert seit dem Angebot, das Sie gelesen haben',
    answered: 'Geändert seit dem früheren Angebot',
  },
  changes: {
    unit_price: 'Stückpreis',
    total_price: 'Gesamtpreis',
    roster_count: 'Anzahl der Spieler',
    size_breakdown: 'Größen',
    rush_order: 'Eilauftrag',
    sport: 'Sportart',
    colors: 'Farben',
    players: 'Die Spieler haben sich geändert.',
    design: 'Das Design hat sich geändert.',
  },
  hasChanged: 'Das Angebot hat sich geändert, seit Sie es geöffnet haben. Bitte lesen Sie es noch einmal.',
  madeAgain:
    'Das Angebot wurde noch einmal mit denselben Bedingungen gemacht, seit Sie es geöffnet haben. Bitte antworten Sie noch einmal.',
  hasOtherTerms:
    'Die Verkaufsbedingungen haben sich geändert, seit Sie das Angebot geöffnet haben. Bitte lesen Sie sie noch einmal.',
  invalid: 'Bitte ergänzen Sie das Formular.',
  nothingSent: 'Es wurde nichts gesendet.',
  ended: time => `Dieses Angebot endete am ${time}. Bitte fragen Sie den Verkäufer nach einem neuen.`,
  status: {
    draft: 'Dieses Angebot wird überarbeitet. Sobald es ein neues gibt, ist es hier zu sehen.',
    submitted: 'Dieses Angebot wird überarbeitet. Sobald es ein neues gibt, ist es hier zu sehen.',
    quoted: 'Dieses Angebot kann angenommen werden.',
    approved: 'Dieses Angebot wurde angenommen.',
    rejected: 'Dieses Angebot wurde abgelehnt.',
    expired: 'Dieses Angebot ist abgelaufen. Bitte fragen Sie den Verkäufer nach einem neuen.',
    ordered: 'Dieses Angebot wurde angenommen und ist bestellt.',
    cancelled: 'Dieses Angebot wurde storniert.',
  },
  ordered: 'Dieses Angebot ist bestellt.',
  changedSince: {
    approved: 'Das Angebot hat sich geändert, seit es angenommen wurde.',
    rejected: 'Das Angebot hat sich geändert, seit es abgelehnt wurde.',
  },
  sameSince: {
    approved: 'Es wurde nach der Annahme noch einmal mit denselben Bedingungen gemacht.',
    rejected: 'Dieses Angebot wurde nach der Ablehnung noch einmal mit denselben Bedingungen gemacht.',
  },
  earlier: {
    approved: (by, time) => `Das frühere Angebot wurde ${by} angenommen, ${time}.`,
    rejected: (by, time) => `Das frühere Angebot wurde ${by} abgelehnt, ${time}.`,
  },
  asked: 'Es wurde um Änderungen gebeten. Sobald es ein neues Angebot gibt, ist es hier zu sehen.',
  by: { customer: 'vom Kunden', seller: 'vom Verkäufer' },
  answered: (by, time) => `${by.charAt(0).toUpperCase()}${by.slice(1)}, ${time}.`,
  bySigner: name => `von ${name}`,
  readOnly:
    'Dieser Link zeigt das Angebot nur. Der Kunde, der es angefragt hat, kann es annehmen oder einen Link zum Annehmen weitergeben.',
  answer: 'Ihre Antwort',
  decline: 'Ablehnen',
  ask: 'Um Änderungen bitten',
  approveThis: price => `Für ${price} annehmen`,
  yourName: 'Ihr Name',
  message: 'Nachricht (freiwillig)',
  reason: 'Grund',
  wish: 'Was soll sich ändern?',
  sendDecline: 'Das Angebot ablehnen',
  sendAsk: 'Anfrage senden',
  agree: 'Mit der Annahme stimmen Sie den obigen Verkaufsbedingungen zu.',
  missing: {
    name: 'Bitte geben Sie Ihren Namen ein.',
    said: 'Bitte schreiben Sie, warum oder was sich ändern soll.',
  },
  tooLong: {
    name: 'Dieser Name ist zu lang. Bitte kürzen Sie ihn.',
    said: 'Das ist zu lang: höchstens 1.000 Zeichen.',
  },
  failures: {
    404: 'Dieser Link ist ungültig oder abgelaufen. Bitte fragen Sie nach einem neuen, wo Sie ihn bekommen haben.',
    403: 'Dieser Link zeigt das Angebot nur. Bitte fragen Sie den Kunden, der es angefragt hat, nach einem Link zum Annehmen.',
    405: 'Diese Seite lässt sich nur öffnen, oder als ihr Formular senden.',
    429: 'Zu viele Anfragen. Bitte warten Sie zehn Sekunden und versuchen es noch einmal.',
    503: 'Das Angebot lässt sich gerade nicht öffnen. Bitte versuchen Sie es in ein paar Minuten noch einmal: Es zeigt dann, ob eine Antwort ankam.',
    other:
      'Das hat nicht geklappt, und es wurde nichts gesendet. Bitte öffnen Sie den Link noch einmal oder fragen Sie den Verkäufer.',
  },
};

const languages: Record<string, Texts> = { en: english, de: german };

/** A language of the page, and how it writes amounts and times. */
export interface Language {
  /** As BCP 47 has it, such as `de-AT`. */
  tag: string;
  texts: Texts;
}

/** Returns the language of a tag, if the page has it. Of its subtags only the region is used. */
function languageOf(wanted: string): Language | undefined {
  const [, base = '', region] = /^([a-z]{2})(?:-[a-z]{4})?(?:-([a-z]{2}|\d{3}))?$/i.exec(wanted.trim()) ?? [];
  const texts = languages[base.toLowerCase()];
  return (
    texts && { tag: region ? `${base.toLowerCase()}-${region.toUpperCase()}` : base.toLowerCase(), texts }
  );
}

/** Most languages of a header that are looked at. */
const lookedAt = 20;

/** Returns the language that is asked for by `?language=`, else the first of Accept-Language that the page has, else English. */
export function chooseLanguage(request: Request): Language {
  const accepted = (request.headers.get('accept-language') ?? '').split(',', lookedAt).map(range => {
    const [tag = '', quality = '1'] = range.split(/;\s*q=/);
    return { tag, quality: Number(quality) };
  });
  const ranked = accepted.filter(({ quality }) => quality > 0).sort((a, b) => b.quality - a.quality);
  const wanted = [new URL(request.url).searchParams.get('language') ?? '', ...ranked.map(({ tag }) => tag)];
  return wanted.map(languageOf).find(found => found !== undefined) ?? { tag: 'en', texts: english };
}

/** Writes an amount with its currency, and all of its decimals up to `decimals`. */
export const formatPrice = (tag: string, amount: number, currency: string, decimals = 10): string =>
  new Intl.NumberFormat(tag, { style: 'currency', currency, maximumFractionDigits: decimals }).format(amount);

/** Writes a time in a zone, with its name; an infinite one is none. */
export function formatTime(tag: string, time: string, timeZone: string): string | undefined {
  const at = new Date(time);
  if (Number.isNaN(at.getTime())) {
    return undefined;
  }
  const format = { dateStyle: 'long', timeStyle: 'short' } as const;
  try {
    return `${new Intl.DateTimeFormat(tag, { ...format, timeZone }).format(at)} (${timeZone.replaceAll('_', ' ')})`;
  } catch {
    return `${new Intl.DateTimeFormat(tag, { ...format, timeZone: 'UTC' }).format(at)} (UTC)`;
  }
}
