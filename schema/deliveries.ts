import { defineCollection, nullable, required } from './collection.ts';
import { bigint, integer, oneOf, text, timestamptz, uuid } from './types.ts';

const readable = { staff: ['select'] } as const;
/** Columns of the engine, which no request reads. */
const internal = { staff: [] } as const;

export const deliveries = defineCollection({
  name: 'deliveries',
  meaning: 'E-mails and calls of webhooks: whether each was sent, and if not, why. Staff only read it.',
  primaryKey: 'id',
  checks: {},
  deletableBy: [],
  columns: {
    id: required(bigint, 'Identifier.', { ...readable, default: "nextval('builder.deliveries_id_seq')" }),
    created_at: required(timestamptz, 'When it was written.', { ...readable, default: 'now()' }),
    due_at: nullable(timestamptz, 'When it is attempted next; null when it has ended.', {
      ...readable,
      default: 'now()',
    }),
    attempts: required(integer, 'How often it was attempted.', { ...readable, default: '0' }),
    claims: required(integer, 'Fencing token of the engine.', { ...internal, default: '0' }),
    state: required(
      oneOf('waiting', 'sending', 'sent', 'skipped', 'dead'),
      'How far it is: waiting for an attempt, being sent, sent, skipped since it was no use, or failed for good.',
      { ...readable, default: "'waiting'" },
    ),
    reason: nullable(
      text(300),
      'Why it waits, was skipped or failed; of one that was sent, why that is not certain.',
      readable,
    ),
    settled_at: nullable(timestamptz, 'When it ended.', readable),
    account_id: required(uuid, 'The account that it is about.', {
      ...readable,
      example: 'c0000000-0000-4000-8000-000000000001',
    }),
    notification_id: nullable(bigint, 'The notification that an e-mail sends.', readable),
    webhook_id: nullable(uuid, 'The webhook that is called.', readable),
    event_id: nullable(bigint, 'The line of quote_events that it tells of.', readable),
    address: nullable(text(320), 'The address of an e-mail.', internal),
    attempted_at: nullable(timestamptz, 'When it was attempted last.', readable),
    quote_id: nullable(uuid, 'The quote that it tells of.', readable),
    queued_at: required(timestamptz, 'From when on its age counts.', { ...internal, default: 'now()' }),
    kind: required(
      oneOf('email', 'staff_email', 'webhook'),
      'An e-mail to an account, one to the staff, or a call of a webhook.',
      { ...readable, example: 'email' },
    ),
    recipient: nullable(text(400), 'The masked address of an e-mail.', readable),
  },
});
