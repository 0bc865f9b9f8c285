import { graphics } from '../schema/graphics.ts';
import { createApp } from './app/app.ts';

export default createApp(graphics);
