/** What has been claimed to be sent: the rows of builder.claim_deliveries. */
import type { WebhookEvent } from './webhook-body.ts';

interface ClaimedDelivery {
  id: string;
  /** By which it is settled. */
  claim: number;
  /** The number of this attempt, from 1. */
  attempt: number;
  account: string;
}

export interface ClaimedMail extends ClaimedDelivery {
  notification: string;
  to: string;
  body: string;
  link: string | null;
}

export interface ClaimedCall extends ClaimedDelivery {
  url: string;
  secrets: string[];
  event: WebhookEvent;
  /** By the database's clock, in milliseconds since 1970. */
  claimedAt: number;
}

interface Row {
  id: number;
  claim: number;
  attempt: number;
  /** Seconds since 1970. */
  claimed_at: number;
  account_id: string;
  notification_id: number | null;
  address: string;
  body: string;
  link: string | null;
  url: string;
  secrets: string[];
  event: WebhookEvent;
}

export function readClaimed(json: string): { mails: ClaimedMail[]; calls: ClaimedCall[] } {
  const mails: ClaimedMail[] = [];
  const calls: ClaimedCall[] = [];
  for (const row of JSON.parse(json) as Row[]) {
    const { claim, attempt, account_id: account, notification_id: notification, address, body, link } = row;
    const claimed = { id: String(row.id), claim, attempt, account };
    if (notification === null) {
      const claimedAt = row.claimed_at * 1000;
      calls.push({ ...claimed, url: row.url, secrets: row.secrets, event: row.event, claimedAt });
    } else {
      mails.push({ ...claimed, notification: String(notification), to: address, body, link });
    }
  }
  return { mails, calls };
}
