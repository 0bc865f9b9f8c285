/** What workers call of the object that paces deliveries; functions/delivery/delivery.ts is that object. */
export interface DeliveryObject extends Rpc.DurableObjectBranded {
  /** Something may be due. Resolves when that is noted. */
  nudge(): Promise<void>;
  /** `late` by builder.delivery_status: what is due was not tried for ten minutes, or has only failed. `off`: no mail is configured. */
  status(): Promise<DeliveryStatus>;
}

export type DeliveryStatus = 'ok' | 'late' | 'off';
