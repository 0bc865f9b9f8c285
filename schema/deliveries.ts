import { defineCollection, nullable, required } from './collection.ts';
import { bigint, boolean, integer, oneOf, text, timestamptz, uuid } from './types.ts';

const readable = { staff: ['select'] } as const;
/** Columns that only the outbox uses; no request reads them. */
const internal = { staff: [] } as const;

export const deliveries = defineCollection({
  name: 'deliveries',
  meaning: 'E-mails and webhook calls: whether each was sent and, if not, why. Read-only, for staff.',
  primaryKey: 'id',
  checks: {},
  deletableBy: [],
  columns: {
    id: required(bigint, 'Identifier.', { ...readable, default: "nextval('builder.deliveries_id_seq')" }),
    created_at: required(timestamptz, 'Creation time.', { ...readable, default: 'now()' }),
    due_at: nullable(timestamptz, 'Time of the next attempt; null when there is none.', {
      ...readable,
      default: 'now()',
    }),
    attempts: required(integer, 'Number of attempts so far.', { ...readable, default: '0' }),
    claims: required(integer, 'Fencing token of the outbox.', { ...internal, default: '0' }),
    state: required(
      oneOf('waiting', 'sending', 'sent', 'skipped', 'dead'),
      'Waiting for an attempt, being sent, sent, skipped because it was obsolete, or failed permanently (dead).',
      { ...readable, default: "'waiting'" },
    ),
    reason: nullable(
      text(300),
      'Why it waits, was skipped or failed; for a sent delivery, why its arrival is uncertain.',
      readable,
    ),
    settled_at: nullable(timestamptz, 'When it was sent, skipped or given up.', readable),
    account_id: required(uuid, 'The account that it concerns.', {
      ...readable,
      example: 'c0000000-0000-4000-8000-000000000001',
    }),
    notification_id: nullable(bigint, 'The notification that the e-mail contains.', readable),
    webhook_id: nullable(uuid, 'The webhook that is called.', readable),
    event_id: nullable(bigint, 'The row of quote_events that it reports.', readable),
    address: nullable(text(320), 'The recipient of an e-mail.', internal),
    attempted_at: nullable(timestamptz, 'Time of the latest attempt.', readable),
    quote_id: nullable(uuid, 'The quote that it concerns; null for a call about several.', readable),
    queued_at: required(timestamptz, 'The time from which its age is counted.', {
      ...internal,
      default: 'now()',
    }),
    kind: required(
      oneOf('email', 'staff_email', 'webhook'),
      'An e-mail to an account, an e-mail to staff, or a webhook call.',
      { ...readable, example: 'email' },
    ),
    recipient: nullable(text(400), 'The masked recipient of an e-mail.', readable),
    turn: required(integer, 'Its place in the queue, in which accounts take turns.', {
      ...internal,
      default: '0',
    }),
    hold_reason: nullable(text(300), 'Why it waits, although no attempt failed.', internal),
    unanswered: required(boolean, 'Whether a relay did not reply to the whole message.', {
      ...internal,
      default: 'false',
    }),
    message_id: required(
      uuid,
      'The `webhook-id` of its call, or the first part of the Message-ID of its e-mail.',
      {
        ...readable,
        default: 'gen_random_uuid()',
      },
    ),
  },
});
