/**
 * The response to each failure. Codes, statuses and texts are PostgREST's where it has them
 * (https://docs.postgrest.org/en/stable/references/errors.html).
 */
import { collectionRows } from './collection-rows.ts';
import { requestRows } from './request-rows.ts';
import type { FailureRows } from './row.ts';
import { serviceRows } from './service-rows.ts';

export const failureRows: FailureRows = { ...requestRows, ...collectionRows, ...serviceRows };
