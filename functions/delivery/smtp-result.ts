/** What a failed session with a relay means for its mail. */
import type { SendResult } from './outbox.ts';
import { reasonOf } from './reason.ts';

/** Why a session failed. */
export interface SmtpFailure {
  /** How far it came: connecting, TLS and login; MAIL FROM; RCPT TO; the whole message. */
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
/** Those by which the address is wrong or disabled; 5.1.7 and 5.1.8 are about the sender's. */
const ofAddress = /^\d{3}[ -]5\.(?:1\.(?:[0-69]|\d\d+)|2\.1)\b/;
const withCode = /^\d{3}[ -]\d\.\d+\.\d+/;
/** It would take mail to nobody: we lack the right, or the commands came in another order than it wants. */
const ofSession = /^(?:503|530|535|538)|\brelay(?:ing)?\b/i;

/**
 * Returns what a failed session means for its mail to the recipient `to`. Whatever happens before the relay has taken the
 * sender would happen to any mail. From then on it may be due to this one, which must not keep the others waiting, so that the
 * attempt counts. Only what speaks of the address refuses it, since a filter's verdict on us would refuse every address.
 */
export function resultOfFailure({ at, reply, event }: SmtpFailure, to: string): SendResult {
  const reason = reasonOf(reply ?? event, [to, to.slice(0, to.indexOf('@'))]);
  if (at === 'session' || at === 'sender') {
    return { is: 'unavailable', reason };
  }
  if (reply === undefined) {
    // To send it again and again would be worse than to lose it.
    return at === 'message'
      ? { is: 'sent', reason: `no reply after the message, which may have arrived: ${reason}` }
      : { is: 'failed', reason };
  }
  if (quota.test(reply) && !ofRecipient.test(reply)) {
    return { is: 'unavailable', reason };
  }
  const isUnknown = at === 'recipient' && reply.startsWith('5') && !withCode.test(reply);
  const refuses = (isUnknown && !ofSession.test(reply)) || ofAddress.test(reply);
  return { is: refuses ? 'refused' : 'failed', reason };
}
