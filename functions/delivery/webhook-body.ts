/**
 * The body of a webhook's call. It says what has happened, and whoever may know more reads the quote: prices, notes and
 * contacts never leave this way, so that a webhook which leads to the wrong place tells little.
 */

/** A row of `quote_events`, with what its quote has now. Times are ISO 8601. */
export interface WebhookEvent {
  id: number | string;
  /** Its name, such as `quote.quoted`. */
  event: string;
  created_at: string;
  quote_id: string;
  quote_number: string;
  account_id: string;
  status: string;
  previous_status: string | null;
  fulfillment_status: string | null;
  /** Of the quote. It says which of two calls is the newer one. */
  updated_at: string;
}

/** Returns the JSON of an event. What else the row has is left out. */
export const webhookBody = (row: WebhookEvent): string =>
  JSON.stringify({
    type: row.event,
    timestamp: row.created_at,
    data: {
      id: row.id,
      quote_id: row.quote_id,
      quote_number: row.quote_number,
      account_id: row.account_id,
      status: row.status,
      previous_status: row.previous_status,
      fulfillment_status: row.fulfillment_status,
      updated_at: row.updated_at,
    },
  });

/** Returns the id of an event's calls to any webhook, the same at each attempt. */
export const webhookId = ({ id }: Pick<WebhookEvent, 'id'>): string => `evt_${id}`;
