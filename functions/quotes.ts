import { quotes } from '../schema/quotes.ts';
import { createBundle } from './bundle.ts';

export default createBundle(quotes);
