/** The worker of quotes with their offers and history, of the reference page and an offer's page, and of all paths that no other worker serves. */
import { quote_events } from '../schema/quote_events.ts';
import { quote_offers } from '../schema/quote_offers.ts';
import { quotes } from '../schema/quotes.ts';
import { described } from './app/described.ts';
import { health } from './app/health.ts';
import { hooks } from './app/hooks.ts';
import { offer } from './offer/offer-endpoint.ts';
import { offerPath } from './offer/offer-link.ts';
import { referenceEndpoints } from './reference/reference.ts';
import { createRest } from './rest/rest.ts';

export default createRest({
  hooks,
  collections: [quotes, quote_offers, quote_events],
  described,
  endpoints: { '/health': health, [offerPath]: offer, ...referenceEndpoints },
});
