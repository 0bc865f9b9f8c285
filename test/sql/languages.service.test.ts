/** The languages of messages: which text an account gets, and how its language writes amounts and days. */
import { describe, expect, it } from 'vitest';
import { price, useOutbox } from './outbox.ts';

const o = useOutbox();

/** The languages whose forms are known; others are written as English amounts and ISO 8601 days. */
const languages =
  'af bg bs ca cs da de el en es et eu fi fr gl gu hi hr hu id is it kn ko ja lt lv mk ml nb nl nn no pa pl pt ro ru sk sl sq sr sv ta te th tr uk vi zh';
const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const regions = [...letters.flatMap(one => letters.map(two => one + two)), '419', '001', '150'].filter(
  region => names.of(region) !== undefined,
);
/** Every language with each region in which Intl knows it. */
const locales = languages
  .split(' ')
  .flatMap(language => [language, ...regions.map(region => `${language}-${region}`)])
  .filter(locale => new Intl.NumberFormat(locale).resolvedOptions().locale === locale);

/** Asks the database how it writes something in each language, spelled as accounts may spell it. */
async function write(call: string): Promise<Map<string, string>> {
  const rows = await o.sql.unsafe(
    `select locale, ${call.replace('$language', "translate(locale, '-', '_')")} as text from unnest($1::text[]) locale`,
    [locales],
  );
  return new Map(rows.map(({ locale, text }) => [locale, text]));
}

/** Returns the locales, without known ones, that differ from Intl. */
function differences(written: Map<string, string>, known: string, expected: (locale: string) => string) {
  const isKnown = (locale: string) =>
    known.split(' ').some(one => one === locale || one === locale.split('-')[0]);
  return [...written].flatMap(([locale, text]) =>
    text === expected(locale) || isKnown(locale) ? [] : [{ locale, text, expected: expected(locale) }],
  );
}

it('amounts have the separators, the groups and the place of the symbol of Intl.NumberFormat in every region', async () => {
  const written = await write("builder.format_price(1234567.5, 'EUR', $language)");
  const expected = (locale: string) =>
    new Intl.NumberFormat(locale, { style: 'currency', currency: 'EUR', currencyDisplay: 'narrowSymbol' })
      .format(1234567.5)
      // Versions of ICU write either of two apostrophes in Switzerland, and the code of the euro.
      .replaceAll("'", '’')
      .replace('EUR', '€');
  expect(written.size).toBeGreaterThan(300);
  // The sign of the escudo, other digits, and Tamil outside of India. Where Intl groups from ten thousand on, messages always do.
  expect(differences(written, 'pt-CV pa-PK ta-MY ta-SG', expected)).toEqual([]);
});

it('a dollar is $ where Intl.NumberFormat writes it so, the reader’s own, and elsewhere names its country', async () => {
  for (const currency of ['USD', 'CAD', 'AUD', 'NZD', 'MXN', 'SGD', 'TWD']) {
    const written = await write(`builder.format_price(1, '${currency}', $language)`);
    const isBare = (text: string) => /(?<!\p{L})\$/u.test(text);
    const expected = (locale: string) =>
      new Intl.NumberFormat(locale, { style: 'currency', currency })
        .formatToParts(1)
        .some(({ type, value }) => type === 'currency' && value === '$');
    const different = [...written].filter(([locale, text]) => isBare(text) !== expected(locale));
    expect({ currency, different }).toEqual({ currency, different: [] });
  }
});

it('days have the order and the separators of Intl.DateTimeFormat in every region', async () => {
  const written = await write("builder.format_day('2127-02-01T08:04Z', gen_random_uuid(), $language)");
  const moment = new Date('2127-02-01T08:04Z');
  // Versions of ICU differ in zeros.
  const plain = (text: string) => text.replaceAll(/\b0(?=\d)/g, '').replace(/\.$/, '');
  for (const [locale, text] of written) {
    written.set(locale, plain(text));
  }
  const expected = (locale: string) => {
    const month = /^en\b/.test(locale) ? 'long' : 'numeric';
    const form = { year: 'numeric', month, day: 'numeric', timeZone: 'UTC' } as const;
    return plain(new Intl.DateTimeFormat(locale, form).format(moment));
  };
  // A word behind the year; the year first, with other separators; other calendars and digits.
  expect(differences(written, 'bg mk eu hu ja ko zh th pa-PK', expected)).toEqual([]);
});

describe('the text of a message', () => {
  const speak = (language: string) =>
    o.replaceEmailOf(`address := 'ann@customer.test'; language := '${language}';`);
  const written = async () => {
    const id = await o.aQuoted({ status: 'submitted' });
    await o.change(id, { ...price, total_price: 1234.5 });
    return (await o.sql`select body from builder.notifications`)[0]?.['body'];
  };

  it.each([
    ...['DE', 'de-AT', 'de_DE.UTF-8', 'de-Latn-DE-1996'].map(own => [own, 'de', 'de']),
    ['pt-br', 'pt_BR', 'pt_BR'],
    ['zh-Hant-TW', 'ZH_hant', 'ZH_hant'],
    ['pt', 'pt_BR', 'en'],
    ['den', 'de', 'en'],
    ['', 'de', 'en'],
  ])('for the language %j, where there is one in %s and in English, is the one in %s', async (own, language, chosen) => {
    await o.say('quote.quoted', { body: 'the other' }, { language });
    await speak(own);
    expect(await written()).toMatch(chosen === 'en' ? /^Your quote/ : /^the other$/);
    expect(await o.claim()).toMatchObject([{ language: chosen }]);
  });

  it('is the most exact one, and a disabled one counts as missing', async () => {
    await o.say('quote.quoted', { body: 'Deutsch' }, { language: 'de' });
    await o.say('quote.quoted', { body: 'Österreich' }, { language: 'de_AT' });
    await speak('de-at');
    expect(await written()).toBe('Österreich');
    await o.empty();
    await o.say('quote.quoted', { body: 'Österreich', enabled: false }, { language: 'de_AT' });
    expect(await written()).toBe('Deutsch');
  });

  it.each([
    ['es-MX', 'US$1,234.50'],
    ['es', '1.234,50\u00a0US$'],
    ['en-CA', 'US$1,234.50'],
    ['en-AU', 'US$1,234.50'],
    ['en-PR', '$1,234.50'],
    ['fr', '$1,234.50'],
  ])('in Spanish or English has its amount for a reader of %s as %s', async (own, amount) => {
    await o.say('quote.quoted', { body: '{total_price}' }, { language: 'es' });
    await o.say('quote.quoted', { body: '{total_price}' });
    await speak(own);
    expect(await written()).toBe(amount);
  });
});
