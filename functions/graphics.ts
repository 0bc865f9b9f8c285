import { graphics } from '../schema/graphics.ts';
import { createBundle } from './app.ts';

export default createBundle(graphics);
