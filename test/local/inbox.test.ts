import { createTransport } from 'nodemailer';
import { beforeEach, describe, expect, it } from 'vitest';
import { startInbox } from '../../functions/local/inbox.ts';
import { use } from '../setup/use.ts';

const inbox = use(startInbox, 'stop');
const client = use(async () => {
  const options = { host: '127.0.0.1', port: inbox.port, pool: true, maxConnections: 1 } as const;
  const transport = createTransport(options);
  return { sendMail: (mail: object) => transport.sendMail(mail), close: () => transport.close() };
}, 'close');
beforeEach(() => {
  inbox.mails.length = 0;
});

const send = (mail: object) =>
  client.sendMail({
    from: 'quotes@builder.example',
    to: 'robin@example.com',
    subject: 'Hello',
    text: 'Hello',
    ...mail,
  });

describe('the inbox of npm start', () => {
  it('shows a mail as its reader sees it', async () => {
    const [subject, text] = ['Ihr Angebot für Müller', `${'ä'.repeat(300)}\n\n<b>no HTML</b>\n`];
    const unsubscribe = 'http://127.0.0.1:8787/unsubscribe/a.b';
    const headers = { 'List-Unsubscribe': `<${unsubscribe}>` };
    await send({ subject, text, messageId: '<a@b.example>', headers });
    const { received, ...mail } = inbox.mails[0] ?? {};
    expect(mail).toEqual({ id: '<a@b.example>', to: ['robin@example.com'], subject, text, unsubscribe });
    expect(Date.parse(received ?? '')).toBeLessThanOrEqual(Date.now());
  });

  it('keeps the last 50, the newest first, without links that are not on the web', async () => {
    for (let n = 1; n <= 52; n++) {
      await send({ subject: `${n}`, headers: { 'List-Unsubscribe': '<javascript:alert(1)>' } });
    }
    const kept = Array.from({ length: 50 }, (_, n) => ({ subject: `${52 - n}`, unsubscribe: undefined }));
    expect(inbox.mails).toMatchObject(kept);
  });

  it('refuses what is too large, and goes on', async () => {
    const html = 'a '.repeat(150 * 1024);
    await expect(send({ html })).rejects.toThrow(/5\.3\.4|552/);
    await send({ subject: 'next', text: 'b'.repeat(100_000) });
    expect(inbox.mails).toMatchObject([{ subject: 'next', text: 'b'.repeat(20_000) }]);
  });
});
