import { fail } from '../common/result.ts';
import type { Failure } from '../failure/failure.ts';

/** Returns the failure of a join that asks for what is not there, with the code that Postgres has for such a parameter. */
export const refuse = (message: string) => fail<Failure>({ is: 'invalid value', sqlstate: '22023', message });
