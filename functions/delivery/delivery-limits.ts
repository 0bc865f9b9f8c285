/** Limits of e-mail and webhooks. */
import { kib, minute, second } from '../common/limits.ts';

export const deliveryLimits = {
  // Connections to the relay.
  mail: {
    // Characters of the sender's name, and of a subject.
    senderName: 100,
    subject: 120,
    // Until a message was sent, and from then on until the reply (RFC 5321, 4.5.3.2.6).
    attempt: 30 * second,
    reply: 10 * minute,
    // Between a message and its final dot: a connection that ends within this time has not delivered it.
    beforeDot: 100,
    // For ending a session, or starting over after the relay refused a mail.
    goodbye: 2 * second,
    // Bytes of one reply of a relay.
    replyBytes: 64 * kib,
    // Characters that are kept of why something was not delivered.
    reason: 300,
  },

  webhook: {
    // Characters of a URL.
    url: 2048,
    // Time to respond.
    timeout: 15 * second,
    // Bytes that are read of a response that is no success, and characters that are kept of it.
    answerBytes: 2 * kib,
    reason: 300,
    // Longest `Retry-After`.
    retryAfterSeconds: 24 * 60 * 60,
    // Secrets of a webhook at once.
    secrets: 2,
  },

  run: {
    // E-mails and calls of webhooks at once.
    sessions: 4,
    callsAtOnce: 5,
    // E-mails in 24 hours, unless MAIL_PER_DAY is set.
    mailsADay: 2000,
    // From a write to the run that delivers it, in which other writes join it.
    nudgeDelay: second,
    // How long an isolate relies on the run that it asked for, in milliseconds.
    nudgedFor: 900,
    // Between two looks for what is due while something is being sent, and how long a run waits until it is.
    lookInterval: second,
    // Between two runs when nothing is known to be due, and when something is that can't be claimed yet.
    idleInterval: minute,
    shortestInterval: second,
    // Until the next run after one in which the database could not be asked.
    retryInterval: 10 * second,
    // Attempts that wait to be settled while the database can't. Older ones are dropped: their leases have ended.
    unsettled: 500,
    // Unsubscriptions in the queue, each of which may take so long: together less than a request may.
    unsubscriptions: 12,
    unsubscription: second,
    // After this time an alarm that has not run is set again.
    overdueAlarm: 5 * second,
  },
} as const;
