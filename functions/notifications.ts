import { notifications } from '../schema/notifications.ts';
import { createBundle } from './app.ts';

export default createBundle(notifications);
