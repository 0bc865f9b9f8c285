import type { Collection } from './collection.ts';
import { deliveries } from './deliveries.ts';
import { graphics } from './graphics.ts';
import { notifications } from './notifications.ts';
import { quote_events } from './quote_events.ts';
import { quote_links } from './quote_links.ts';
import { quote_offers } from './quote_offers.ts';
import { quotes } from './quotes.ts';

/** All collections. */
export const collections: readonly Collection[] = [
  quotes,
  graphics,
  notifications,
  quote_events,
  quote_offers,
  quote_links,
  deliveries,
];
