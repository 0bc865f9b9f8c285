import { graphics } from '../schema/graphics.ts';
import { health } from './app/health.ts';
import { hooks } from './app/hooks.ts';
import { createRest } from './rest/rest.ts';

export default createRest({ hooks, collections: [graphics], endpoints: { '/health': health } });
