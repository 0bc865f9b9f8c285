/** The names of the one schema: in Accept-Profile and Content-Profile, and in the bindings of live updates. */
import type { Failure } from '../failure/failure.ts';

const exposed = ['public', 'builder'];

/** Returns the failure of a request that names another schema. */
export const findUnexposed = (schema: string): Failure | undefined =>
  exposed.includes(schema) ? undefined : { is: 'unacceptable schema', schema, exposed };
