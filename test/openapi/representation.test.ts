/** Which description of the API a request gets. */
import { describe, expect, it } from 'vitest';
import { representationFor } from '../../functions/openapi/representation.ts';

describe('a request at the root', () => {
  it.each([
    ['without an Accept header', null],
    ['of any type, as curl and browsers send it', '*/*'],
    ['of a page', 'text/html,application/xhtml+xml,*/*;q=0.8'],
    ['of JSON', 'application/json'],
    ['of version 3.1', 'application/openapi+json;version=3.1'],
    ['of version 3', 'application/openapi+json; version="3"'],
    [
      'of JSON, and Swagger rather than nothing',
      'application/json, application/openapi+json;version=2;q=0.5',
    ],
    ['of what nobody offers', 'image/png'],
  ])('gets OpenAPI 3.1: %s', (_, accept) => {
    expect(representationFor(accept, null)).toBe('openapi');
    expect(representationFor(accept, 'builder/1.0')).toBe('openapi');
  });

  it.each([
    ['of version 2', 'application/openapi+json;version=2'],
    ['of version 2.0', 'application/openapi+json; version=2.0; charset=utf-8'],
    ['of no version, as PostgREST’s clients send it', 'application/openapi+json'],
    ['of that or JSON', 'application/json;q=0.9, application/openapi+json'],
  ])('gets Swagger 2.0: %s', (_, accept) => {
    expect(representationFor(accept, null)).toBe('swagger');
  });

  it.each([
    'supabase-js/2.119.1; runtime=node; runtime-version=20.20.2',
    'supabase-js-web/2.48.1',
    'supabase-ssr/0.5.2 createBrowserClient',
    'postgrest-js/1.17.0',
  ])('gets Swagger 2.0 when it is of a Supabase client that asks for no version: %s', clientInfo => {
    for (const accept of [null, '*/*', 'application/json', 'application/openapi+json']) {
      expect(representationFor(accept, clientInfo)).toBe('swagger');
    }
    expect(representationFor('application/openapi+json;version=3.1', clientInfo)).toBe('openapi');
    expect(representationFor('application/typescript', clientInfo)).toBe('typescript');
  });

  it('gets types for TypeScript when it prefers them', () => {
    expect(representationFor('application/typescript', null)).toBe('typescript');
    expect(representationFor('application/typescript;q=0.1, */*', null)).toBe('openapi');
  });
});
