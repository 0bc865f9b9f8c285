/** The worker of quotes with their offers, history and links, of the reference page, an offer's page, and paths that no other serves. */
import { quote_events } from '../schema/quote_events.ts';
import { quote_links } from '../schema/quote_links.ts';
import { quote_offers } from '../schema/quote_offers.ts';
import { quotes } from '../schema/quotes.ts';
import { described } from './app/described.ts';
import { health } from './app/health.ts';
import { hooks } from './app/hooks.ts';
import { offer } from './offer/offer-endpoint.ts';
import { offerPath } from './offer/offer-link.ts';
import { shareQuote } from './offer/share-quote.ts';
import { referenceEndpoints } from './reference/reference.ts';
import { createRest } from './rest/rest.ts';

export default createRest({
  hooks,
  collections: [quotes, quote_offers, quote_events, quote_links],
  completions: { share_quote: shareQuote },
  described,
  endpoints: { '/health': health, [offerPath]: offer, ...referenceEndpoints },
});
