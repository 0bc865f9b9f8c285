import { deliveries } from '../schema/deliveries.ts';
import { createApp } from './app/app.ts';

export default createApp(deliveries);
