/** What the staff wrote to the customer about a quote. Each message is a notification too, and an e-mail. */
import { type ReactNode, useCallback } from 'react';
import type { Client } from '../supabase.ts';
import { useLive } from '../use-live.ts';
import { Time } from './pieces.tsx';

interface Addressed {
  id: string;
  account_id: string;
}

/** Returns the link of messages about a quote, which no other notification has. */
export const messageLink = ({ id }: Addressed): string => `/quotes/${id}#message`;

interface MessagesProps {
  client: Client;
  quote: Addressed;
  title: string;
  children?: ReactNode;
}

/** Lists the messages, the newest first, if there are any. */
export function Messages({ client, quote: { id, account_id }, title, children }: MessagesProps) {
  const read = useCallback(
    () =>
      client
        .from('notifications')
        .select('id, body, created_at')
        .match({ account_id, link: messageLink({ id, account_id }) })
        .order('id', { ascending: false })
        .limit(50),
    [client, id, account_id],
  );
  const { data: messages } = useLive(client, { notifications: `account_id=eq.${account_id}` }, read);
  return messages?.length || children ? (
    <section className="card" aria-label={title}>
      <h3>{title}</h3>
      {children}
      <ol className="messages">
        {messages?.map(({ id, body, created_at }) => (
          <li key={id}>
            {body} <Time value={created_at} />
          </li>
        ))}
      </ol>
    </section>
  ) : null;
}
