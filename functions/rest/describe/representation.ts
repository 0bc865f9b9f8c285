/** The representations of the API's description, and the choice between them. */
import { rankCandidates } from '../request/media-type.ts';

/**
 * OpenAPI 3.1; Swagger 2.0, which is OpenAPI 2.0 under its older name, as PostgREST returns it; or the types of
 * supabase-js for TypeScript.
 */
export type Representation = 'openapi' | 'swagger' | 'typescript';

const openapi = 'application/openapi+json';

/** The registration of the media type has the parameter `version` (draft-ietf-httpapi-rest-api-mediatypes). */
export const mediaTypes: Record<Representation, string> = {
  openapi,
  swagger: `${openapi};version=2.0`,
  typescript: 'application/typescript',
};

/** Returns the representation that the Accept header prefers; Swagger 2.0 unless it names another, as PostgREST has no other. */
export function representationFor(accept: string | null): Representation {
  for (const { type, parameters } of rankCandidates(accept ?? '')) {
    if (type === openapi) {
      return (parameters['version'] ?? '2').startsWith('2') ? 'swagger' : 'openapi';
    }
    if (type === mediaTypes.typescript) {
      return 'typescript';
    }
    if (type === 'application/json' || type === '*/*') {
      break;
    }
  }
  return 'swagger';
}
