/** A webhook, and a delivery to it, as a line of text. */
import type { CalledEvent, Webhook } from './webhooks.ts';

/** Returns its id, URL, events and state, and nothing of its secrets but how many there are. */
export function describeWebhook(webhook: Webhook): string {
  const secrets = webhook.secrets.length === 1 ? '1 secret' : `${webhook.secrets.length} secrets`;
  const events = webhook.events?.join() ?? 'all events';
  return [webhook.id, webhook.url, events, secrets, stateOf(webhook)].join('  ');
}

/** Returns its id, event, quote, state, attempts, when that was, and the reason. */
export function describeDelivery(delivery: CalledEvent): string {
  const { id, event, quote_id, state, attempts, due_at, settled_at, reason } = delivery;
  const tried = attempts === 1 ? '1 attempt' : `${attempts} attempts`;
  const when = due_at ? `due ${due_at.toISOString()}` : (settled_at?.toISOString() ?? '');
  return [id, event, quote_id, state, tried, when, reason ?? ''].join('  ').trimEnd();
}

function stateOf({ disabled_at, disabled_because, failing_since }: Webhook): string {
  if (disabled_at !== null) {
    return `disabled since ${disabled_at.toISOString()}: ${disabled_because ?? 'no reason is known'}`;
  }
  return failing_since === null ? 'enabled' : `fails since ${failing_since.toISOString()}`;
}
