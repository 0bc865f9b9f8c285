/** What the page of an offer says when the offer, its terms of sale or its status changed: nobody answers what was not shown to them. */
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { useService } from '../setup/service.ts';
import { approval, asData, offersOf } from './shared.ts';

const service = useService();
const { quote, link, text, data, post, quoteOf, reprice, change, writeSeller } = offersOf(service);

beforeAll(() => writeSeller());

/** Returns the fields of the form that approves. */
function formOf(page: string): Record<string, string> {
  const [form = ''] = /<form[^>]* class="approve"[\s\S]*?<\/form>/.exec(page) ?? [];
  const named = [...form.matchAll(/<input[^>]* name="(\w+)"(?:[^>]* value="([^"]*)")?/g)];
  return {
    ...Object.fromEntries(named.map(([, name, value]) => [name, value ?? ''])),
    name: 'Ana Treasurer',
  };
}

/** Returns the text between the heading of a box of changes and what is offered. */
const changesIn = (page: string): string[] =>
  [...(/<h2 id="changes">[\s\S]*?<\/section>/.exec(page)?.[0] ?? '').matchAll(/<(?:h2|li)[^>]*>(.*?)</g)].map(
    ([, shown = '']) => shown,
  );

const asProgram = (path: string, fields: object) =>
  service.fetch(path, {
    method: 'POST',
    headers: { ...asData, 'content-type': 'application/json' },
    body: JSON.stringify(fields),
  });

describe('an answer to an offer that is no longer the newest', () => {
  it('is explained by what changed since that offer, by name where others lie between', async () => {
    const id = await quote();
    const { path } = await link(id);
    const form = formOf(await text(path));
    await change(id, { customization: { team: 'Tigers' }, total_price: 300, unit_price: 25 });
    await change(id, { total_price: 240, unit_price: 20 });
    await change(id, { rush_order: true });
    const reply = await post(path, form);
    const page = await reply.text();
    expect([reply.status, changesIn(page)]).toEqual([
      409,
      ['Changed since the offer that you read', 'Rush order', 'The design has changed.'],
    ]);
    expect(page).not.toContain('300.00');
    const program = await asProgram(path, { ...approval, offer: 1 });
    expect([program.status, await program.json()]).toMatchObject([
      409,
      { code: 'PT409', hint: expect.stringContaining('Changed since offer 1: rush_order, design.') },
    ]);
    expect((await post(path, formOf(page))).status).toBe(303);
  });

  it('is told that the offer was made again, if its terms are the same', async () => {
    const id = await quote();
    const { path } = await link(id);
    const form = formOf(await text(path));
    await reprice(id, 300);
    await reprice(id, 240);
    const page = await (await post(path, form)).text();
    expect(page).toContain('The offer was made again after you opened it, with the same terms.');
    expect(changesIn(page)).toEqual([]);
    expect((await quoteOf(id))['status']).toBe('quoted');
  });

  it('is explained also where the form is incomplete', async () => {
    const id = await quote();
    const { path } = await link(id);
    const form = formOf(await text(path));
    await reprice(id, 300);
    const reply = await post(path, { ...form, name: '' });
    const page = await reply.text();
    expect(reply.status).toBe(400);
    expect(page).toContain('The offer changed after you opened it.');
    expect(page).toContain('Please complete the form.');
    expect(changesIn(page)).toContain('Total price: $240.00 → $300.00');
  });

  it('is explained by players and data that the page does not show', async () => {
    const players = (shirt: string) => ({ customization: { players: [{ name: 'Ruiz', shirt }] } });
    const id = await quote(players('long'));
    await change(id, players('short'));
    const { path } = await link(id, { roster: true });
    expect((await data(path))['changes']).toEqual(['players']);
    const without = await link(id);
    expect((await data(without.path))['changes']).toEqual(['design']);
  });
});

describe('the signer of an answer', () => {
  const signed = async (fields: object = {}) => {
    const id = await quote();
    const { path } = await link(id);
    expect((await post(path, { ...approval, ...fields })).status).toBe(303);
    return { id, path };
  };

  it('is named with the offer that was answered, not with the terms to which staff amend an order', async () => {
    const { id, path } = await signed();
    await change(id, { status: 'ordered' });
    const ordered = await text(path);
    expect(ordered).toContain('This offer was approved, and is ordered.');
    expect(ordered).toContain('By Ana Treasurer, ');
    await reprice(id, 9999);
    const page = await text(path);
    expect(page).not.toMatch(/This offer was approved|By Ana/);
    expect(page).toContain('This offer is ordered.');
    expect(page).toContain('The offer has changed since it was approved.');
    expect(page).toContain('The earlier offer was approved by Ana Treasurer, ');
    expect(changesIn(page)).toContain('Total price: $240.00 → $9,999.00');
    expect(await data(path)).toMatchObject({
      answer: null,
      earlier_answer: { status: 'approved', offer: 1, signer: 'Ana Treasurer', by: 'link' },
      changes_since: 1,
    });
  });

  it('is not named for another price, at which staff reopen and order', async () => {
    const { id, path } = await signed();
    await change(id, { status: 'quoted', total_price: 5000, unit_price: 400 });
    await change(id, { total_price: 6000, unit_price: 500 });
    await change(id, { status: 'ordered' });
    const page = await text(path);
    expect(page).not.toMatch(/This offer was approved|By Ana/);
    expect(changesIn(page)).toEqual(['Changed since the earlier offer', 'Price for each', 'Total price']);
  });

  it('is not named for a price that staff set after the offer was declined', async () => {
    const { id, path } = await signed({ status: 'rejected', said: 'Too dear' });
    await reprice(id, 120);
    const page = await text(path);
    expect(page).not.toMatch(/This offer was declined|By Ana/);
    expect(page).toContain('The offer has changed since it was declined.');
    expect(page).toContain('The earlier offer was declined by Ana Treasurer, ');
  });

  it('is nobody where staff order what was not approved, was declined after its approval, or was offered again', async () => {
    const id = await quote();
    const { path } = await link(id);
    const declined = await signed();
    await change(declined.id, { status: 'quoted' });
    expect((await post(declined.path, { ...approval, status: 'rejected', said: 'No' })).status).toBe(303);
    const reopened = await signed();
    await change(reopened.id, { status: 'quoted' });
    for (const [ordered, page] of [
      [id, path],
      [declined.id, declined.path],
      [reopened.id, reopened.path],
    ] as const) {
      await change(ordered, { status: 'ordered' });
      expect(await text(page)).toContain('This offer is ordered.');
      expect(await text(page)).not.toMatch(/approved|Ana/);
    }
  });
});

describe('the terms of sale', () => {
  afterEach(() => service.sql`delete from builder.event_messages where event = 'offer_terms'`);

  it('are approved only as they were shown', async () => {
    await writeSeller('en', 'Payment within 30 days.', 'offer_terms');
    const id = await quote();
    const { path } = await link(id);
    const read = await data(path);
    const form = formOf(await text(path));
    await writeSeller('en', 'Payment in advance.', 'offer_terms');
    const reply = await post(path, form);
    const page = await reply.text();
    expect(reply.status).toBe(409);
    expect(page).toContain('The terms of sale changed after you opened the offer.');
    expect(page).not.toContain('The offer changed');
    expect(page).toContain('Payment in advance.');
    const program = await asProgram(path, { ...approval, terms_digest: read['terms_digest'] });
    expect([program.status, await program.json()]).toMatchObject([
      409,
      { code: 'PT409', hint: expect.stringContaining('The terms of sale are others.') },
    ]);
    expect((await quoteOf(id))['status']).toBe('quoted');
    expect((await post(path, formOf(page))).status).toBe(303);
  });

  it('that appear after the page was opened are not approved, and no obstacle to declining', async () => {
    const id = await quote();
    const { path } = await link(id);
    const form = formOf(await text(path));
    await writeSeller('de', 'Zahlung im Voraus.', 'offer_terms');
    expect((await post(path, form)).status).toBe(409);
    expect((await post(path, { ...form, status: 'rejected', said: 'No' })).status).toBe(303);
  });
});

describe('a program', () => {
  it('gets success again for the same answer, and 409 for another one to what is closed', async () => {
    const id = await quote();
    const { path } = await link(id);
    const other = await link(id);
    expect((await asProgram(path, approval)).status).toBe(200);
    expect((await asProgram(path, approval)).status).toBe(200);
    for (const [to, fields] of [
      [other.path, approval],
      [path, { ...approval, name: 'Bob' }],
      [path, { ...approval, status: 'rejected', said: 'No' }],
    ] as const) {
      const reply = await asProgram(to, fields);
      expect([reply.status, await reply.json()]).toMatchObject([
        409,
        { code: 'PT409', message: 'The offer can no longer be answered: it is approved' },
      ]);
    }
    await change(id, { status: 'ordered' });
    expect((await asProgram(path, approval)).status).toBe(200);
  });

  it.each([
    ['it is rejected', { status: 'rejected' }],
    ['it is draft', { status: 'draft' }],
    ['it has ended', { expires_at: '2026-01-02T03:04:05Z' }],
  ])('is refused with 409 because %s', async (why, changed) => {
    const id = await quote();
    const { path } = await link(id);
    await change(id, changed);
    const reply = await asProgram(path, approval);
    expect([reply.status, await reply.json()]).toMatchObject([
      409,
      { message: `The offer can no longer be answered: ${why}` },
    ]);
  });
});
