/** What every document says of the API as a whole. */
import type { Audience, Collection } from '../../schema/collection.ts';
import type { Json } from './json-schema.ts';

export const describeInfo = (audience: Audience): Json => ({
  title: 'Uniform Builder Data Service',
  version: '1',
  description: `Collections over HTTP in [PostgREST](https://docs.postgrest.org)'s protocol: what a caller of the kind \`${audience}\` may do.`,
  contact: { name: 'The operator of this service' },
});

export const describeTags = (collections: Collection[]): Json[] => [
  ...collections.map(({ name, meaning, live }) => ({
    name,
    description: live ? `${meaning} ${liveMeaning(name)}` : meaning,
  })),
  { name: 'api', description: 'The API itself.' },
];

const liveMeaning = (name: string): string =>
  `Signed-in users are sent its changes: \`supabase.channel('x').on('postgres_changes', { event: '*', schema: 'public', table: '${name}' }, …)\`.`;

export const apikeyMeaning = 'The publishable key of this service. Without an access token it counts alone.';
export const bearerMeaning = 'The access token of a signed-in user.';
