/** For developers: the inbox that `npm start` sends its e-mail to, and the webhooks with their last calls. */
import { type ReactNode, useEffect, useState } from 'react';
import { Time } from '../ui/pieces.tsx';
import { useSession } from '../use-session.ts';

export function Developer() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    useSession().showsDeliveries && (
      <footer className="developer">
        <details onToggle={event => setIsOpen(event.currentTarget.open)}>
          <summary>For developers: e-mails and webhooks</summary>
          {isOpen && (
            <div className="developer-parts">
              <Inbox />
              <Webhooks />
            </div>
          )}
        </details>
      </footer>
    )
  );
}

/** Milliseconds. */
const interval = 3000;

interface Mail {
  id: string;
  to: string[];
  subject: string;
  text: string;
  unsubscribe?: string;
  received: string;
}

interface Webhook {
  id: string;
  url: string;
  /** Null for all events. */
  events: string[] | null;
  disabled_because: string | null;
  calls: { event: string; quote_id: string; attempts: number; state: string; reason: string | null }[];
}

/** Returns what this address has, read again all the time while the page is visible. */
function usePolled<T>(path: string): T[] | null {
  const [items, setItems] = useState<T[] | null>(null);
  useEffect(() => {
    let isMounted = true;
    const read = async () => {
      const response = await fetch(path).catch(() => null); // The service may be restarting.
      const found = response?.ok ? ((await response.json()) as T[]) : null;
      if (found && isMounted) {
        setItems(found);
      }
    };
    read();
    const timer = setInterval(() => document.hidden || read(), interval);
    return () => {
      isMounted = false;
      clearInterval(timer);
    };
  }, [path]);
  return items;
}

interface PartProps {
  title: string;
  empty: ReactNode;
  isEmpty: boolean;
  children: ReactNode;
}

const Part = ({ title, empty, isEmpty, children }: PartProps) => (
  <section aria-label={title}>
    <h2>{title}</h2>
    {isEmpty ? <p className="muted">{empty}</p> : <ol>{children}</ol>}
  </section>
);

function Inbox() {
  const mails = usePolled<Mail>('/demo/inbox');
  return (
    <Part
      title="E-mails"
      isEmpty={mails?.length === 0}
      empty="No e-mail yet: one is sent when a quote is priced."
    >
      {mails?.map(mail => (
        <li key={`${mail.id} ${mail.received}`}>
          <MailDetails mail={mail} />
        </li>
      ))}
    </Part>
  );
}

/** Shows a mail as text. Only web addresses become links. */
function MailDetails({ mail: { to, subject, text, unsubscribe, received } }: { mail: Mail }) {
  const lines = text.trim().split('\n');
  const link = /^https?:\/\/\S+$/.test(lines.at(-1) ?? '') ? lines.pop() : undefined;
  return (
    <details>
      <summary>
        <strong>{subject}</strong> to {to.join(', ')}, <Time value={received} />
      </summary>
      <p className="text">{lines.join('\n').trim()}</p>
      {link && (
        <a href={link} target="_blank" rel="noreferrer">
          {link}
        </a>
      )}{' '}
      {unsubscribe && (
        <a href={unsubscribe} target="_blank" rel="noreferrer">
          Unsubscribe
        </a>
      )}
    </details>
  );
}

function Webhooks() {
  const webhooks = usePolled<Webhook>('/demo/webhooks');
  const empty = (
    <>
      No webhook yet: <code>npm run webhook -- add http://127.0.0.1:9000/</code> adds one.
    </>
  );
  return (
    <Part title="Webhooks" isEmpty={webhooks?.length === 0} empty={empty}>
      {webhooks?.map(({ id, url, events, disabled_because, calls }) => (
        <li key={id}>
          <strong>{url}</strong> gets {events?.join(', ') ?? 'all events'}
          {disabled_because && `; disabled: ${disabled_because}`}
          <ul>
            {calls.map(call => (
              <li key={`${call.event} ${call.quote_id}`}>{describe(call)}</li>
            ))}
          </ul>
        </li>
      ))}
    </Part>
  );
}

const describe = ({ event, attempts, state, reason }: Webhook['calls'][number]): string => {
  const result = state === 'waiting' ? (attempts === 0 ? 'waiting' : 'tried again later') : state;
  return [`${event}: ${result}`, reason].filter(Boolean).join(', ');
};
