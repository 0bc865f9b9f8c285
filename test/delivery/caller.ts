/**
 * A worker that calls webhooks as it is told to, and answers with the outcome: by the network that webhooks have, the binding
 * alone, or any.
 */
import type { Env } from '../../functions/common/env.ts';
import {
  callWebhook,
  type WebhookCall,
  type WebhookNetwork,
  webhookNetwork,
} from '../../functions/delivery/call-webhook.ts';

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const { searchParams } = new URL(request.url);
    const network = networkOf(env, searchParams.get('network'));
    if (request.method === 'GET') {
      return tryAddress(searchParams.get('url') ?? '', network);
    }
    const outcome = await callWebhook(await request.json<WebhookCall>(), network, Date.now());
    const after = searchParams.get('after');
    // Until the response is made, nothing else ends the connection of a call.
    return after === null ? Response.json(outcome) : tryAddress(after, network);
  },
};

function networkOf(env: Env, name: string | null): WebhookNetwork {
  switch (name) {
    case 'any':
      return { onLoopback: true, fetch };
    case 'binding':
      return {
        onLoopback: true,
        fetch: async (url, init) => (env.WEBHOOK_NETWORK as Fetcher).fetch(url, init),
      };
    default:
      return webhookNetwork(env);
  }
}

/** Answers with the status or the error of an address that no webhook could have. */
async function tryAddress(url: string, { fetch }: WebhookNetwork): Promise<Response> {
  try {
    const { status, body } = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(10_000) });
    await body?.cancel();
    return new Response(String(status));
  } catch (error) {
    return new Response(String(error));
  }
}
