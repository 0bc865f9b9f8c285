import { graphics } from '../schema/graphics.ts';
import { createApp } from './rest/app.ts';

export default createApp(graphics);
