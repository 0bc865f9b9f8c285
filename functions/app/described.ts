/** What all workers serve together, which `/rest/v1/` and the types for clients describe. */
import { collections } from '../../schema/collections.ts';
import { redeliver } from '../delivery/redeliver.ts';
import type { Service } from '../rest/rest.ts';
import { quoteFunctions } from './quote-functions.ts';

export const described: Service = { collections, functions: [...quoteFunctions, redeliver] };
