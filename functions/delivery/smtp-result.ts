/** A failed session with a relay → the result for its mail. */
import type { SendResult } from './outbox.ts';
import { reasonOf } from './reason.ts';

/** Why a session failed. */
export interface SmtpFailure {
  /** The stage that failed: connecting, TLS and login; MAIL FROM; RCPT TO; the whole message. */
  at: 'session' | 'sender' | 'recipient' | 'message';
  /** The relay's reply. */
  reply?: string;
  /** What happened, when there is no reply. */
  event: string;
}

/** Replies about an exhausted quota of the sender, which would affect any other mail too. */
const quota =
  /throttl|message quota|too many (?:messages|e?mails|connections)|(?:sending|daily|hourly|rate) (?:\w{1,20} )?(?:limit|quota)/i;
/** Status codes of RFC 3463 about the recipient, such as a full mailbox. */
const ofRecipient = /^\d{3}[ -][45]\.[12]\./;
/** Status codes for a wrong or disabled address. 5.1.7 and 5.1.8 are about the sender's address. */
const ofAddress = /^\d{3}[ -]5\.(?:1\.(?:[0-69]|\d\d+)|2\.1)\b/;
const withCode = /^\d{3}[ -]\d\.\d+\.\d+/;
/** Replies that would apply to any recipient: a missing permission, or a wrong order of commands. */
const ofSession = /^(?:503|530|535|538)|\brelay(?:ing)?\b/i;

/**
 * Returns the result for a mail to the recipient `to`. A failure before the relay accepts the sender would affect any mail:
 * `unavailable`. A later failure may be due to this mail, so the attempt counts, and the mail does not delay others. Only
 * replies about the address count as `refused`, since a spam filter's verdict on the sender would refuse every address.
 */
export function resultOfFailure({ at, reply, event }: SmtpFailure, to: string): SendResult {
  const reason = reasonOf(reply ?? event, [to, to.slice(0, to.indexOf('@'))]);
  if (at === 'session' || at === 'sender') {
    return { is: 'unavailable', reason };
  }
  if (reply === undefined) {
    return at === 'message'
      ? { is: 'unanswered', reason: `no reply after the message, which may have arrived: ${reason}` }
      : { is: 'failed', reason };
  }
  if (quota.test(reply) && !ofRecipient.test(reply)) {
    return { is: 'unavailable', reason };
  }
  const isUnknown = at === 'recipient' && reply.startsWith('5') && !withCode.test(reply);
  const refuses = (isUnknown && !ofSession.test(reply)) || ofAddress.test(reply);
  return { is: refuses ? 'refused' : 'failed', reason };
}
