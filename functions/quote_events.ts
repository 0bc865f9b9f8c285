import { quote_events } from '../schema/quote_events.ts';
import { createApp } from './app/app.ts';

export default createApp(quote_events);
