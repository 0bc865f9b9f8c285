import { notifications } from '../schema/notifications.ts';
import { described } from './app/described.ts';
import { health } from './app/health.ts';
import { hooks } from './app/hooks.ts';
import { createRest } from './rest/rest.ts';

export default createRest({
  hooks,
  collections: [notifications],
  described,
  endpoints: { '/health': health },
});
