/** The language of an offer's page, and how it writes amounts and times. */
import { english, type Texts, textsOf } from './offer-texts.ts';

/** A language of the page, and how it writes amounts and times. */
export interface Language {
  /** As BCP 47 has it, such as `de-AT`. */
  tag: string;
  texts: Texts;
}

/** Returns the language of a tag, if the page has it. Of its subtags only the region is used. */
function languageOf(wanted: string): Language | undefined {
  const [, base = '', region] = /^([a-z]{2})(?:-[a-z]{4})?(?:-([a-z]{2}|\d{3}))?$/i.exec(wanted.trim()) ?? [];
  const texts = textsOf[base.toLowerCase()];
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
