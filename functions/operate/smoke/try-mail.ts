/** Checks e-mail of a running deployment: sends one to an address of the operator's choice. Deletes its own rows. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '../../local/program.ts';
import { readHealth } from './try-health.ts';

interface MailSmoke {
  url: string;
  /** The recipient; without it, or without the secret key, nothing is written. */
  address: string | undefined;
  secretKey: string | undefined;
  /** Milliseconds for the deployment to send it. */
  patience: number;
}

const body = 'This is the smoke test of an e-mail.';

/** Prints a line when the relay has accepted the e-mail, or returns why none was sent. Throws a Problem when it was not accepted. */
export async function tryMail({ url, address, secretKey, patience }: MailSmoke): Promise<string | undefined> {
  if (!address) {
    return 'without --mail <address>';
  }
  if (!secretKey) {
    return 'without SECRET_KEY';
  }
  if ((await readHealth(url, patience)).mail === 'off') {
    return 'since MAIL_FROM of the deployment is not set';
  }
  const rest = new Rest(`${url}/rest/v1`, secretKey);
  // A new account. Its address is the contact of a quote that has been priced.
  const ids = { account_id: randomUUID(), product_id: randomUUID(), quote_number: 'QT-0000-00000' };
  // Imports notify no one.
  const price = {
    status: 'quoted',
    unit_price: 1,
    total_price: 1,
    contact_email: address,
    source: 'csv_import',
  };
  const quote = await rest.insert('quotes', { ...ids, ...price, sport: 'smoke test', customization: {} });
  try {
    const row = { account_id: ids.account_id, body, channel: 'email', dismissed: false };
    await rest.insert('notifications', row);
    await untilSent(rest, ids.account_id, patience);
  } finally {
    // Without an address, no e-mail says that the quote was deleted.
    await rest.change('quotes', quote, { contact_email: null });
    await rest.remove(`quotes?id=eq.${quote}`);
    await rest.remove(`notifications?account_id=eq.${ids.account_id}`);
  }
  console.log('✓ the relay has accepted an e-mail: check that it has arrived');
  return undefined;
}

/** Waits for the delivery's outcome. Throws a Problem when it fails, also if it will be tried again, or takes too long. */
async function untilSent(rest: Rest, account: string, patience: number): Promise<void> {
  const end = Date.now() + patience;
  for (;;) {
    const { state = 'missing', reason = null } = await rest.deliveryOf(account);
    if (state === 'sent') {
      return;
    }
    const isPending = (state === 'waiting' && reason === null) || state === 'sending';
    if (!isPending || Date.now() > end) {
      throw new Problem(
        `✗ an e-mail\n  expected  sent\n  received  ${state}${reason === null ? ` after ${patience / 1000} s` : `: ${reason}`}`,
      );
    }
    await sleep(500);
  }
}

class Rest {
  readonly #base: string;
  readonly #headers: Record<string, string>;

  constructor(base: string, key: string) {
    this.#base = base;
    this.#headers = { apikey: key, 'content-type': 'application/json', prefer: 'return=representation' };
  }

  /** Returns the id of the new row. */
  async insert(collection: string, row: object): Promise<string> {
    const body = JSON.stringify(row);
    const response = await fetch(`${this.#base}/${collection}?select=id`, {
      method: 'POST',
      headers: this.#headers,
      body,
    });
    if (response.status !== 201) {
      throw new Problem(`✗ an e-mail\n  ${collection}: ${response.status} ${await response.text()}`);
    }
    const [{ id } = {}] = (await response.json()) as { id?: string | number }[];
    return String(id);
  }

  /** Returns the state of the account's e-mail. */
  async deliveryOf(account: string): Promise<{ state?: string; reason?: string | null }> {
    const path = `deliveries?account_id=eq.${account}&select=state,reason`;
    const response = await fetch(`${this.#base}/${path}`, { headers: this.#headers });
    if (response.status !== 200) {
      throw new Problem(`✗ an e-mail\n  deliveries: ${response.status} ${await response.text()}`);
    }
    const [delivery = {}] = (await response.json()) as { state?: string; reason?: string | null }[];
    return delivery;
  }

  async change(collection: string, id: string, values: object): Promise<void> {
    const body = JSON.stringify(values);
    await fetch(`${this.#base}/${collection}?id=eq.${id}`, { method: 'PATCH', headers: this.#headers, body });
  }

  async remove(path: string): Promise<void> {
    await fetch(`${this.#base}/${path}`, { method: 'DELETE', headers: this.#headers });
  }
}
