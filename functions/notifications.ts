import { notifications } from '../schema/notifications.ts';
import { createBundle } from './bundle.ts';

export default createBundle(notifications);
