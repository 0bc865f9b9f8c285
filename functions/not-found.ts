/** The failure of a path that is not served: an unknown function or collection, or no path of this API at all. */
import type { Collection } from '../schema/collection.ts';
import { fail, type Result } from './common/result.ts';
import type { Failure } from './failure/failure.ts';
import { nearest } from './plan/nearest.ts';
import { functionsOf } from './rpc/rpc.ts';

/** `collections` are those that the worker serves. */
export function notFound(path: string, collections: readonly Collection[]): Result<never> {
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
