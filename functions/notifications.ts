import { notifications } from '../schema/notifications.ts';
import { createApp } from './app/app.ts';

export default createApp(notifications);
