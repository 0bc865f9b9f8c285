import { quotes } from '../schema/quotes.ts';
import { createBundle } from './app.ts';
import { nextQuoteNumber, nextQuoteNumberPath } from './rpc/next-quote-number.ts';

const app = createBundle(quotes);
app.all(nextQuoteNumberPath, ({ req, env }) => nextQuoteNumber(req.raw, env));

export default app;
