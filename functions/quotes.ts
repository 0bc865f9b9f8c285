import { quotes } from '../schema/quotes.ts';
import { createApp } from './app/app.ts';

export default createApp(quotes);
