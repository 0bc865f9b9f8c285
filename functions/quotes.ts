import { quotes } from '../schema/quotes.ts';
import { createApp } from './app.ts';
import { nextQuoteNumber, nextQuoteNumberPath } from './rpc/next-quote-number.ts';

const app = createApp(quotes);
app.all(nextQuoteNumberPath, ({ req, env }) => nextQuoteNumber(req.raw, env));

export default app;
