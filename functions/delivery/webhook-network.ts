/** Which network webhooks are called by. */
import type { Env } from '../common/env.ts';
import { isOnLoopback } from './webhook-url.ts';

export interface WebhookNetwork {
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Whether webhooks may be called at `http://127.0.0.1:<port>`. */
  onLoopback: boolean;
}

/**
 * Returns the network of a worker. In workerd on a machine of our own, names may lead to private addresses. The binding
 * WEBHOOK_NETWORK refuses them by the address that it connects to, whatever resolved the name. On Cloudflare there is no
 * such binding, and no private network.
 */
export function webhookNetwork(env: Env): WebhookNetwork {
  const onLoopback = env.WEBHOOKS_ON_LOOPBACK === 'on';
  return {
    onLoopback,
    fetch: (url, init) =>
      env.WEBHOOK_NETWORK && !(onLoopback && isOnLoopback(new URL(url)))
        ? env.WEBHOOK_NETWORK.fetch(url, init)
        : fetch(url, init),
  };
}
