import { notifications } from '../schema/notifications.ts';
import { createApp } from './rest/app.ts';

export default createApp(notifications);
