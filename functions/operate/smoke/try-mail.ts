/** Checks e-mail of a running deployment: sends one to an address of the developer's choice. Deletes its own rows. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '../../local/program.ts';

interface MailSmoke {
  url: string;
  /** The recipient; without it, or without the secret key, nothing is written. */
  address: string | undefined;
  secretKey: string | undefined;
  /** Milliseconds for the deployment to send it. */
  patience: number;
}

const body = 'This is the smoke test of an e-mail.';

/** Prints a line. Throws a Problem when a write fails. */
export async function tryMail({ url, address, secretKey, patience }: MailSmoke): Promise<void> {
  const obstacle =
    (!address && '--mail is not set') ||
    (!secretKey && 'SECRET_KEY is not set') ||
    ((await deliveryOf(url)) === 'off' && 'MAIL_FROM of the deployment is not set');
  if (obstacle || !address || !secretKey) {
    console.log(`– an e-mail: skipped, because ${obstacle}`);
    return;
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
    await sleep(patience);
  } finally {
    // Without an address, no e-mail says that the quote was deleted.
    await rest.change('quotes', quote, { contact_email: null });
    await rest.remove(`quotes?id=eq.${quote}`);
    await rest.remove(`notifications?account_id=eq.${ids.account_id}`);
  }
  console.log('✓ an e-mail was written: check that it has arrived');
}

async function deliveryOf(url: string): Promise<string | undefined> {
  const response = await fetch(`${url}/health`);
  return ((await response.json()) as { delivery?: string }).delivery;
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

  async change(collection: string, id: string, values: object): Promise<void> {
    const body = JSON.stringify(values);
    await fetch(`${this.#base}/${collection}?id=eq.${id}`, { method: 'PATCH', headers: this.#headers, body });
  }

  async remove(path: string): Promise<void> {
    await fetch(`${this.#base}/${path}`, { method: 'DELETE', headers: this.#headers });
  }
}
