import { quote_offers } from '../schema/quote_offers.ts';
import { quotes } from '../schema/quotes.ts';
import { createApp } from './app/app.ts';

export default createApp(quotes, quote_offers);
