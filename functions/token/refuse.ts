import { fail } from '../common/result.ts';
import type { Failure } from '../failure/failure.ts';

/** Returns the failure of a key or a token that is none of this service. */
export const refuse = (message: string) => fail<Failure>({ is: 'credentials refused', message });
