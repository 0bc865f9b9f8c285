/**
 * What a failed session means for its mail. Whatever happens before the relay has taken the sender would happen to any mail.
 * From then on it may be due to this one, which must not keep the others waiting, so that the attempt counts.
 */
import type { Outcome } from './outcome.ts';
import { reasonOf } from './reason.ts';

export interface SmtpFailure {
  /** How far it came: connecting, TLS and login; MAIL FROM; RCPT TO; the message. */
  at: 'session' | 'sender' | 'recipient' | 'message';
  /** What the relay said. */
  reply?: string;
  /** What happened where it said nothing. */
  event: string;
}

/** A limit of the sender's own that is used up, which another mail would meet as well. */
const quota =
  /throttl|message quota|too many (?:messages|e?mails|connections)|(?:sending|daily|hourly|rate) (?:\w{1,20} )?(?:limit|quota)/i;
/** Status codes of RFC 3463 that say something of the recipient, as that its mailbox is full. */
const ofRecipient = /^\d{3}[ -][45]\.[12]\./;
const ofAddress = /^\d{3}[ -]5\.1\.[1236]\b/;
/** It would take mail to nobody: we lack the right, or the commands came in another order than it wants. */
const ofSession = /^(?:503|530|535|538)|\brelay(?:ing)?\b/i;

/** `to` is the recipient. */
export function outcomeOf({ at, reply, event }: SmtpFailure, to: string): Outcome {
  const reason = reasonOf(reply ?? event, [to, to.slice(0, to.indexOf('@'))]);
  if (at === 'session' || at === 'sender') {
    return { is: 'unavailable', reason };
  }
  if (reply !== undefined && quota.test(reply) && !ofRecipient.test(reply)) {
    return { is: 'unavailable', reason };
  }
  if (!reply?.startsWith('5') || ofSession.test(reply)) {
    return { is: 'failed', reason };
  }
  return at === 'recipient' || ofAddress.test(reply)
    ? { is: 'dead', reason, refuses: true }
    : { is: 'dead', reason };
}
