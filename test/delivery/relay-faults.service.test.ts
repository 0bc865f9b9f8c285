/**
 * A relay that goes wrong at any step: no mail is lost or said to be sent that was not, none of them keeps the others
 * waiting, and everything ends in time.
 */
import { describe, expect, inject, it } from 'vitest';
import type { SendResult } from '../../functions/delivery/outbox.ts';
import type { Fault, Step } from './faulty-relay.ts';
import { newMail, useMailer } from './mailer.ts';
import { useRelay } from './relay.ts';

const credentials = { user: 'me@builder.example', password: 'p4ssw0rd' };
const mailer = useMailer();

type Case = [step: Step, does: Fault['does'], is: SendResult['is']];
const silent = ['hang', 'cut'] as const;
const silentAt = (step: Step, is: SendResult['is']): Case[] => silent.map(does => [step, does, is]);

const cases: Case[] = [
  ...silentAt('connect', 'unavailable'),
  ['connect', 'endless', 'unavailable'],
  ...silentAt('AUTH', 'unavailable'),
  ['AUTH', { reply: '454 4.7.0 try later' }, 'unavailable'],
  ['MAIL', { reply: '550 5.7.1 sender denied' }, 'unavailable'],
  ...silentAt('RCPT', 'failed'),
  ['RCPT', { reply: '550 5.1.1 no such user' }, 'refused'],
  ['body', 'cut', 'failed'],
  // The client can't tell this from a relay that says nothing after the final dot.
  ['body', 'hang', 'unanswered'],
  ...silentAt('answer', 'unanswered'),
  ['answer', { reply: '554 5.7.1 looks like spam' }, 'failed'],
  ...silentAt('QUIT', 'sent'),
];

describe('a relay', () => {
  const relay = useRelay(() => ({
    certificate: inject('certificate'),
    login: credentials,
    smtp: { hideSTARTTLS: true },
  }));

  it.concurrent.each(cases)('that fails at %s by %j leaves the mail %s', async (at, does, is) => {
    const { port } = await relay.failing({ at, does });
    const mail = newMail();
    const times = { attempt: 10_000, reply: 5000, beforeDot: at === 'body' ? 5000 : 0 };
    const outcomes = await mailer.send({ port, credentials }, [mail], times);
    expect(outcomes).toEqual([{ is, ...(is !== 'sent' && { reason: expect.any(String) }) }]);
    const hasArrived = at === 'answer' || at === 'QUIT';
    expect(relay.received([mail])).toHaveLength(hasArrived ? 1 : 0);
  });

  it.concurrent('that replies to the message long after its other deadlines has taken it, once', async () => {
    const { port } = await relay.failing({ at: 'answer', does: { reply: '250 2.0.0 taken', late: 9000 } });
    const mail = newMail();
    const times = { attempt: 6000, reply: 20_000, beforeDot: 0 };
    expect(await mailer.send({ port, credentials }, [mail], times)).toEqual([{ is: 'sent' }]);
    expect(relay.received([mail])).toHaveLength(1);
  });

  it.concurrent.each([
    ['accepts it', undefined],
    ['refuses it', { reply: '500 what?' }],
  ] as const)('that refuses one recipient and at RSET %s gets the mails before and after', async (_, does) => {
    const { port, seen } = await relay.failing(does && { at: 'RSET', does, times: 1 });
    const mails = [newMail(), newMail({ to: 'nobody@customer.example' }), newMail(), newMail()];
    const outcomes = await mailer.send({ port, credentials }, mails);
    expect(outcomes.map(({ is }) => is)).toEqual(['sent', 'refused', 'sent', 'sent']);
    expect(relay.received(mails)).toHaveLength(3);
    expect(seen()).toHaveLength(does === undefined ? 1 : 2);
  });

  const ends = ['cut', { reply: '451 4.5.3 too many messages in this session' }] as const;

  it.concurrent.each(ends)('that at the second mail does %j gets it in another session', async does => {
    const { port, seen } = await relay.failing({ at: 'MAIL', does, after: 1, times: 1 });
    const mails = [newMail(), newMail(), newMail()];
    expect(await mailer.send({ port, credentials }, mails)).toEqual(mails.map(() => ({ is: 'sent' })));
    expect(relay.received(mails)).toHaveLength(3);
    expect(seen()).toHaveLength(2);
  });
});

describe('a relay that does not start TLS', () => {
  const relay = useRelay(() => ({ certificate: inject('certificate'), login: credentials }));
  const stripped = useRelay(() => ({
    certificate: inject('certificate'),
    login: credentials,
    smtp: { hideSTARTTLS: true, disabledCommands: ['STARTTLS'] },
  }));

  it.concurrent.each<[string, Fault | undefined]>([
    ['does not offer it', undefined],
    ['refuses it', { at: 'STARTTLS', does: { reply: '454 4.7.0 TLS not available' } }],
    ['is ready and continues in clear', { at: 'STARTTLS', does: { reply: '220 ready' } }],
    ['says more in clear', { at: 'STARTTLS', does: { reply: '220 ready\r\n250-localhost\r\n250 AUTH' } }],
  ])('since it %s gets neither login nor mail', async (_, fault) => {
    const { port, seen } = await (fault ? relay : stripped).failing(fault);
    const times = { attempt: 4000, reply: 5000, beforeDot: 0 };
    const mail = newMail();
    const outcomes = await mailer.send({ port, tls: 'starttls', credentials }, [mail], times);
    expect(outcomes).toEqual([{ is: 'unavailable', reason: expect.any(String) }]);
    const [session = [], ...others] = seen();
    expect(others).toEqual([]);
    expect(session.slice(0, 2)).toEqual([expect.stringMatching(/^EHLO /), 'STARTTLS']);
    expect(session.slice(2).filter(line => /^[A-Z]+\b/.test(line))).toEqual([]);
  });
});
