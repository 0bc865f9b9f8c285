/** What a relay's answer means for the mail, for its address, and for all other mails. */
import { describe, expect, it } from 'vitest';
import { resultOfFailure, type SmtpFailure } from '../../functions/delivery/smtp-result.ts';

const to = 'bob.smith@customer.example';
const reply = (at: SmtpFailure['at'], text: string) => resultOfFailure({ at, reply: text, event: '' }, to);

describe('what a relay answers', () => {
  it.each<[SmtpFailure['at'], string, object]>([
    ['session', '421 4.3.2 shutting down', { is: 'unavailable' }],
    ['session', '535 5.7.8 login refused', { is: 'unavailable' }],
    ['session', '554 no service for you', { is: 'unavailable' }],
    ['sender', '451 try later', { is: 'unavailable' }],
    ['sender', '550 5.7.1 sender denied', { is: 'unavailable' }],
    ['recipient', '450 greylisted', { is: 'failed' }],
    ['recipient', '451 4.7.1 Greylisting in action, please come back later', { is: 'failed' }],
    ['recipient', '421 4.7.0 closing', { is: 'failed' }],
    ['recipient', '452 4.2.2 mailbox over its message quota', { is: 'failed' }],
    ['recipient', '550 5.1.1 no such user', { is: 'refused' }],
    ['recipient', '550 user unknown', { is: 'refused' }],
    ['recipient', '553 5.1.3 bad address', { is: 'refused' }],
    ['recipient', '503 5.5.1 bad sequence of commands', { is: 'failed' }],
    ['recipient', '530 5.7.0 authentication required', { is: 'failed' }],
    ['recipient', '554 5.7.1 relay access denied', { is: 'failed' }],
    ['recipient', '550 relaying denied', { is: 'failed' }],
    ['recipient', '550 5.4.5 Daily user sending limit exceeded', { is: 'unavailable' }],
    ['message', '451 4.3.0 local error', { is: 'failed' }],
    ['message', '454 Throttling failure: Maximum sending rate exceeded.', { is: 'unavailable' }],
    ['message', '454 Throttling failure: Daily message quota exceeded.', { is: 'unavailable' }],
    ['recipient', '554 5.7.1 blocked using zen.spamhaus.org', { is: 'failed' }],
    ['recipient', '550 5.7.26 unauthenticated mail is prohibited', { is: 'failed' }],
    ['recipient', '550 5.5.1 protocol error', { is: 'failed' }],
    ['recipient', '550 5.2.1 mailbox disabled', { is: 'refused' }],
    ['recipient', '550 5.2.2 mailbox full', { is: 'failed' }],
    ['recipient', '556 5.1.10 null MX', { is: 'refused' }],
    ['recipient', '550 5.1.8 sender domain not found', { is: 'failed' }],
    ['message', '554 5.7.1 spam', { is: 'failed' }],
    ['message', '554 no', { is: 'failed' }],
    ['message', '550 5.1.1 no such user after all', { is: 'refused' }],
    ['message', '552 5.3.4 message size exceeds fixed limit', { is: 'failed' }],
  ])('to the %s: %s', (at, text, outcome) => {
    expect(reply(at, text)).toEqual({ ...outcome, reason: text });
  });

  it('is not needed: a lost connection is the relay’s fault until it took the sender, then an attempt of the mail', () => {
    const lost = (at: SmtpFailure['at']) =>
      resultOfFailure({ at, event: 'Connection closed unexpectedly' }, to).is;
    expect([lost('session'), lost('sender')]).toEqual(['unavailable', 'unavailable']);
    expect(lost('recipient')).toBe('failed');
  });
});

it('a reply that breaks off after the whole message counts as sent, and the reason says so', () => {
  expect(resultOfFailure({ at: 'message', event: 'Connection closed unexpectedly' }, to)).toEqual({
    is: 'sent',
    reason: 'no reply after the message, which may have arrived: Connection closed unexpectedly',
  });
});

describe('the reason', () => {
  it.each([
    ['550 5.1.1 <bob.smith@customer.example>: no such user', '550 5.1.1 <…>: no such user'],
    ['550 5.1.1 user bob.smith unknown', '550 5.1.1 user … unknown'],
    ['550 5.1.1 user BOB.SMITH unknown', '550 5.1.1 user … unknown'],
    ['550 see https://relay.example/?to=bob.smith%40customer.example', '550 see …'],
    [
      '550-5.7.1 first line\n550-5.7.1 second line\r\n550 5.7.1 third',
      '550 5.7.1 first line second line third',
    ],
    ['550 a\tb\u0007c ünknown \u2028 d', '550 a b c nknown d'],
  ])('of %j is %s', (text, reason) => {
    expect(reply('message', text)).toMatchObject({ reason });
  });

  it('has at most 300 characters', () => {
    expect(reply('message', `550 ${'x '.repeat(30_000)}`).is).toBe('failed');
    expect(reply('message', `550 ${'x '.repeat(30_000)}`)).toHaveProperty('reason.length', 300);
  });
});
