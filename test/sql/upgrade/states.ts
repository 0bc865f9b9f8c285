/** The states that rows can have, as schema/ lists them. */
import { deliveries } from '../../../schema/deliveries.ts';
import { quotes } from '../../../schema/quotes.ts';

export const statuses: readonly string[] = quotes.columns.status.type.values ?? [];
export const fulfillmentStatuses: readonly string[] = quotes.columns.fulfillment_status.type.values ?? [];
export const deliveryKinds: readonly string[] = deliveries.columns.kind.type.values ?? [];
export const deliveryStates: readonly string[] = deliveries.columns.state.type.values ?? [];
