/** The customer's notifications, behind a bell that counts those that were not on the screen yet. */
import { useCallback, useEffect, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { type Client, useSession } from '../supabase.ts';
import { Button } from '../ui/button.tsx';
import { Empty, Notice, Time } from '../ui/pieces.tsx';
import { placeOf } from '../use-hash.ts';
import { tryStorage } from '../use-kept.ts';
import { useLive } from '../use-live.ts';

/** Where this device keeps the newest notification that was on the screen: the bell counts those since. */
const seenKey = 'seen';
const readSeen = (): number => Number(tryStorage(() => localStorage.getItem(seenKey)) ?? 0);

/** The service sends no more than these at once; the bell says "50+" then. */
const shown = 50;

const readUnread = (client: Client) =>
  client
    .from('notifications')
    .select('id, type, body, link, created_at')
    .eq('dismissed', false)
    .order('id', { ascending: false })
    .limit(shown);

type Notification = NonNullable<Awaited<ReturnType<typeof readUnread>>['data']>[number];

export function Bell() {
  const { client } = useSession().customer;
  const read = useCallback(() => readUnread(client), [client]);
  const { data, error } = useLive(client, { notifications: '' }, read);
  const [dismissed, setDismissed] = useState<number[]>([]);
  const [hasFailed, setHasFailed] = useState(false);
  // What can be read again can be reached again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each read makes another array.
  useEffect(() => setHasFailed(false), [data]);
  const id = useId();
  const panel = useRef<HTMLElement>(null);
  const unread = data?.filter(row => !dismissed.includes(row.id)) ?? [];
  const newest = Number(unread[0]?.id ?? 0);
  const [seen, setSeen] = useState(readSeen);
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => {
    if (isOpen && newest > seen) {
      setSeen(newest);
      tryStorage(() => localStorage.setItem(seenKey, String(newest)));
    }
  }, [isOpen, newest, seen]);
  const fresh = unread.filter(row => row.id > seen).length;
  const count = fresh >= shown ? `${shown}+` : `${fresh}`;

  /** Hides them at once; they come back if the service refuses. The focus goes to what takes their place. */
  async function dismiss(ids: number[], place = 0) {
    flushSync(() => {
      setDismissed(before => [...before, ...ids]);
      setHasFailed(false);
    });
    const buttons = panel.current?.querySelectorAll<HTMLElement>('.remove');
    (buttons?.item(Math.min(place, buttons.length - 1)) ?? panel.current)?.focus();
    const { error: refusal } = await client.from('notifications').update({ dismissed: true }).in('id', ids);
    if (refusal) {
      setDismissed(before => before.filter(old => !ids.includes(old)));
      setHasFailed(true);
    }
  }

  return (
    <div className="bell">
      <button
        type="button"
        className="bell-button"
        popoverTarget={id}
        aria-label={fresh === 0 ? 'Notifications' : `Notifications, ${count} new`}
      >
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M12 3a6 6 0 0 0-6 6v4l-2 3.5h16L18 13V9a6 6 0 0 0-6-6ZM9.5 19a2.5 2.5 0 0 0 5 0" />
        </svg>
        {fresh > 0 && <span className="bell-count">{count}</span>}
      </button>
      <div className="visually-hidden" role="status">
        {fresh > 0 && <span key={newest}>{unread[0]?.body}</span>}
      </div>
      <section
        id={id}
        ref={panel}
        tabIndex={-1}
        popover="auto"
        onToggle={({ newState }) => setIsOpen(newState === 'open')}
        className="bell-panel"
        aria-label="Notifications"
      >
        <div className="card-head">
          <h2>Notifications</h2>
          {unread.length > 1 && (
            <Button onClick={() => dismiss(unread.map(row => row.id))}>Dismiss all</Button>
          )}
        </div>
        {(error || hasFailed) && <Notice kind="warning">That didn’t work. Please try again.</Notice>}
        {data && unread.length === 0 && <Empty title="You’re all caught up" />}
        <ul>
          {unread.map((notification, place) => (
            <Item
              key={notification.id}
              {...notification}
              onDismiss={() => dismiss([notification.id], place)}
              onOpen={() => {
                panel.current?.hidePopover();
                dismiss([notification.id]);
              }}
            />
          ))}
        </ul>
      </section>
    </div>
  );
}

/** The links of quotes, as the service writes them. */
const quoteLink = /^\/quotes\/([0-9a-f-]{36})(?:#message)?$/;

interface ItemProps extends Notification {
  onDismiss: () => void;
  onOpen: () => void;
}

function Item({ type, body, link, created_at, onDismiss, onOpen }: ItemProps) {
  const id = quoteLink.exec(link ?? '')?.[1];
  return (
    <li className={type}>
      <p>{body}</p>
      <p className="muted">
        <Time value={created_at} />
        {id && (
          <a href={placeOf(id)} onClick={onOpen}>
            Open the quote
          </a>
        )}
      </p>
      <button type="button" className="remove" aria-label={`Dismiss: ${body}`} onClick={onDismiss}>
        ×
      </button>
    </li>
  );
}
