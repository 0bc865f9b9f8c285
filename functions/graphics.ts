import { graphics } from '../schema/graphics.ts';
import { described } from './app/described.ts';
import { health } from './app/health.ts';
import { hooks } from './app/hooks.ts';
import { createRest } from './rest/rest.ts';

export default createRest({ hooks, collections: [graphics], described, endpoints: { '/health': health } });
