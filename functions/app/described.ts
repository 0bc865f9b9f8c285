/** What all workers serve together, which `/rest/v1/` and the types for clients describe. */
import { collections } from '../../schema/collections.ts';
import { functions } from '../../schema/functions.ts';
import type { Described } from '../rest/describe/functions.ts';

export const described: Described = { collections, functions };
