/** For developers: the requests of both sides, the e-mails, and the webhooks. */
import { useEffect, useState, useSyncExternalStore } from 'react';
import { Button } from '../ui/button.tsx';
import { useSession } from '../use-session.ts';
import { Inbox, Webhooks } from './deliveries.tsx';
import { type Entry, logChange, requestLog, type Who } from './request-log.ts';

export function Developer() {
  const { showsDeliveries } = useSession();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <footer className="developer">
      <details onToggle={event => setIsOpen(event.currentTarget.open)}>
        <summary>For developers: requests{showsDeliveries && ', e-mails and webhooks'}</summary>
        {isOpen && (
          <div className="developer-parts">
            <Requests />
            {showsDeliveries && <Inbox />}
            {showsDeliveries && <Webhooks />}
          </div>
        )}
      </details>
    </footer>
  );
}

const liveTables = ['quotes', 'notifications', 'quote_events'];

/** Writes the changes that a user is sent into the log. */
function useLoggedChanges(who: Who): void {
  const { client } = useSession()[who];
  useEffect(() => {
    const channel = liveTables.reduce(
      (channel, table) =>
        channel.on('postgres_changes', { event: '*', schema: 'public', table }, change =>
          logChange(who, change),
        ),
      client.channel('log'),
    );
    let isMounted = true;
    client.realtime.setAuth().then(() => isMounted && channel.subscribe());
    return () => {
      isMounted = false;
      client.removeChannel(channel);
    };
  }, [client, who]);
}

function Requests() {
  useLoggedChanges('customer');
  useLoggedChanges('staff');
  const entries = useSyncExternalStore(requestLog.subscribe, requestLog.read);
  return (
    <section aria-label="Requests">
      <h2>Requests</h2>
      <p className="muted">What both sides send, and the changes that they are sent, newest first.</p>
      {entries.length > 0 && <Button onClick={requestLog.clear}>Clear</Button>}
      <ol>
        {entries.map(entry => (
          <li key={entry.id}>
            <Line entry={entry} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function Line({ entry }: { entry: Entry }) {
  const { who, method, path, status, hasFailed, milliseconds, sent, received } = entry;
  const result = [
    hasFailed && status === null ? 'failed' : status,
    milliseconds !== null && `${milliseconds} ms`,
  ];
  return (
    <details className={hasFailed ? 'failed' : ''}>
      <summary>
        {who} <strong>{method}</strong> {result.filter(Boolean).join(', ')} <code>{path}</code>
      </summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it. */}
      <pre tabIndex={0}>{[sent, received].filter(Boolean).join('\n\n→\n\n') || 'No body'}</pre>
    </details>
  );
}
