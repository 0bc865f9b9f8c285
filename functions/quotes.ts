import { quotes } from '../schema/quotes.ts';
import { createBundle } from './bundle.ts';
import { nextQuoteNumber, nextQuoteNumberPath } from './next-quote-number.ts';

const app = createBundle(quotes);
app.all(nextQuoteNumberPath, ({ req, env }) => nextQuoteNumber(req.raw, env));

export default app;
