import { quotes } from '../schema/quotes.ts';
import { createApp } from './app.ts';

export default createApp(quotes);
