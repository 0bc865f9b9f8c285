/** The worker of quotes with their offers and history, of the reference page, and of all paths that no other worker serves. */
import { collections } from '../schema/collections.ts';
import { quote_events } from '../schema/quote_events.ts';
import { quote_offers } from '../schema/quote_offers.ts';
import { quotes } from '../schema/quotes.ts';
import reference from './reference/reference-app.ts';
import { createApp } from './rest/app.ts';
import { joinApps } from './rest/new-app.ts';

// `/rest/v1/` must come from the reference, which describes every collection.
export default joinApps([reference, createApp(quotes, quote_offers, quote_events)], collections);
