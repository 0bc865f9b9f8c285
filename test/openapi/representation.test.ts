/** Which description of the API a request gets. */
import { describe, expect, it } from 'vitest';
import { representationFor } from '../../functions/openapi/representation.ts';

describe('a request at the root', () => {
  it.each([
    ['without an Accept header', null],
    ['of a page, as browsers send it', 'text/html,application/xhtml+xml,*/*;q=0.8'],
    ['of version 2.0', 'application/openapi+json; version=2.0; charset=utf-8'],
    ['of no version, as PostgREST’s clients send it', 'application/openapi+json'],
    ['of JSON rather than OpenAPI 3.1', 'application/json, application/openapi+json;version=3;q=0.5'],
    ['of what nobody offers', 'image/png'],
  ])('gets Swagger 2.0: %s', (_, accept) => {
    expect(representationFor(accept)).toBe('swagger');
  });

  it.each([
    ['of version 3', 'application/openapi+json; version="3"'],
    ['of version 3.1 rather than JSON', 'application/json;q=0.9, application/openapi+json;version=3.1'],
  ])('gets OpenAPI 3.1: %s', (_, accept) => {
    expect(representationFor(accept)).toBe('openapi');
  });

  it('gets types for TypeScript when it prefers them', () => {
    expect(representationFor('application/typescript')).toBe('typescript');
    expect(representationFor('application/typescript;q=0.1, */*')).toBe('swagger');
  });
});
