import { defineCollection, fixed, nullable, required } from './collection.ts';
import { everyone } from './everyone.ts';
import { bigint, boolean, enumeration, notBlank, timestamptz, uuid, varchar } from './types.ts';
import { link } from './web-address.ts';

const readable = { customer: ['select'] } as const;

export const notifications = defineCollection({
  name: 'notifications',
  meaning: 'Messages for an account, delivered in the application or by e-mail.',
  primaryKey: 'id',
  owner: { column: 'account_id', listedBy: 'created_at', readable: ['caller_account_ids', 'everyone'] },
  views: { customer: 'notifications_of_customer' },
  checks: {
    email_goes_to_one_account: {
      columns: ['channel'],
      expected: 'in_app for a message to everyone',
      breaks: ({ channel, account_id }) => channel === 'email' && account_id === everyone,
    },
  },
  deletableBy: ['customer', 'staff'],
  live: true,
  columns: {
    id: required(bigint, 'Identifier.', {
      ...fixed,
      ...readable,
      default: "nextval('builder.notifications_id_seq')",
    }),
    account_id: required(
      uuid,
      'Reference to the account the notification is for; the nil uuid addresses everyone (a system message).',
      {
        ...readable,
        insteadOfNull: `To address everyone, send the account_id ${everyone}.`,
        example: 'c0000000-0000-4000-8000-000000000001',
      },
    ),
    type: required(
      enumeration('builder.notification_type', 'info', 'warning', 'error'),
      'Kind of notification.',
      {
        ...readable,
        default: "'info'",
      },
    ),
    body: required(notBlank(varchar(10_000)), 'Body of the notification.', {
      ...readable,
      example: 'Your quote is ready.',
    }),
    link: nullable(link, 'Link for the notification.', readable),
    channel: required(
      enumeration('builder.notification_channel', 'in_app', 'email'),
      'How it is delivered.',
      {
        ...readable,
        default: "'in_app'",
      },
    ),
    dismissed: required(boolean, 'Whether the notification has been dismissed.', {
      customer: ['select', 'update'],
      example: false,
    }),
    expires_at: nullable(timestamptz, 'Expiry date; one month after creation when left out.', {
      ...readable,
      default: "now() + interval '1 month'",
    }),
    created_at: required(timestamptz, 'Creation date.', { ...readable, default: 'now()' }),
  },
});
