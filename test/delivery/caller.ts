/** A worker that calls webhooks as it is told to, and answers with the outcome. */
import type { Env } from '../../functions/common/env.ts';
import { sendWebhook, type WebhookCall } from '../../functions/delivery/send-webhook.ts';
import { type WebhookNetwork, webhookNetwork } from '../../functions/delivery/webhook-network.ts';

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const network = webhookNetwork(env);
    if (request.method === 'GET') {
      const { searchParams } = new URL(request.url);
      const isWebhooks = searchParams.get('network') === 'webhooks';
      return tryAddress(searchParams.get('url') ?? '', isWebhooks ? network.fetch : fetch);
    }
    return Response.json(await sendWebhook(await request.json<WebhookCall>(), network, Date.now()));
  },
};

/** Answers with the status or the error of an address that no webhook could have. */
async function tryAddress(url: string, fetch: WebhookNetwork['fetch']): Promise<Response> {
  try {
    const { status, body } = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(10_000) });
    await body?.cancel();
    return new Response(String(status));
  } catch (error) {
    return new Response(String(error));
  }
}
