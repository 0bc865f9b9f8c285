import { graphics } from '../schema/graphics.ts';
import { createBundle } from './bundle.ts';

export default createBundle(graphics);
