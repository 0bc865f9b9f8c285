/** The failure of a path that is not served: of another service, an unknown function or collection, or nothing known. */
import type { Collection } from '../../schema/collection.ts';
import { fail, type Result } from '../common/result.ts';
import type { Failure } from '../failure/failure.ts';
import { otherServiceOf } from '../failure/other-services.ts';
import { nearest } from '../plan/nearest.ts';
import { functionsOf } from '../routes/rpc.ts';

/** Returns the failure of a path that nobody serves. `collections` are those that the worker serves. */
export function notFound(path: string, collections: readonly Collection[]): Result<never> {
  const service = otherServiceOf(path);
  if (service !== undefined) {
    return fail<Failure>({ is: 'other service', service });
  }
  const [, rpc, name] = /^\/rest\/v1\/(rpc\/)?([^/]+)$/.exec(path) ?? [];
  if (name === undefined) {
    return fail<Failure>({ is: 'unknown path' });
  }
  const known = (rpc ? collections.flatMap(functionsOf) : collections).map(served => served.name);
  return fail<Failure>({
    is: rpc ? 'unknown function' : 'unknown collection',
    name,
    known,
    nearest: nearest(name, known),
  });
}
