import { graphics } from '../schema/graphics.ts';
import { createApp } from './app.ts';

export default createApp(graphics);
