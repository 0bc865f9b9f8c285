import { notifications } from '../schema/notifications.ts';
import { health } from './app/health.ts';
import { hooks } from './app/hooks.ts';
import { createRest } from './rest/rest.ts';

export default createRest({ hooks, collections: [notifications], endpoints: { '/health': health } });
