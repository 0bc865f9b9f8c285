/** Links by which an offer is opened, printed and answered without a sign-in. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { date, hour } from '../format.ts';
import { useRequest } from '../problem.ts';
import type { Client } from '../supabase.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Check, Choice, Field } from '../ui/field.tsx';
import { Notice } from '../ui/pieces.tsx';
import { useKept } from '../use-kept.ts';

interface LinksProps {
  client: Client;
  /** The quote's id. */
  id: string;
  /** Whether a link may be one that answers: the customer's, while the offer can be answered. */
  canAnswer: boolean;
}

export function OfferLinks(props: LinksProps) {
  const { client, id } = props;
  const [isAsked, setAsked] = useState(false);
  const { problem, send } = useRequest(null, '');

  /** Opens the page of the offer, which prints as a document. A tab that is opened later would be blocked. */
  async function print() {
    const tab = open('');
    const { data } = await send(share(client, id, { may: 'read', label: 'To print', roster: true }));
    if (data) {
      (tab ?? window).location.href = data.url;
    } else {
      tab?.close();
    }
  }

  return (
    <>
      {problem && <Notice kind="error">{problem.sentence}</Notice>}
      <div className="actions">
        <Button onClick={() => setAsked(true)}>Copy a link</Button>
        <Button onClick={print}>Print the offer</Button>
      </div>
      {isAsked && <LinksDialog {...props} onClose={() => setAsked(false)} />}
    </>
  );
}

interface Wanted {
  may: 'read' | 'approve';
  label: string;
  roster: boolean;
}

/** Returns the live link with these properties, or a new one. */
const share = (client: Client, id: string, { label, ...wanted }: Wanted) =>
  client.rpc('share_quote', { id, label: label.trim() || null, ...wanted });

const readLinks = (client: Client, quote_id: string) =>
  client
    .from('quote_links')
    .select('id, may, label, roster, created_as, ends_at, opened_at')
    .match({ quote_id })
    .is('revoked_at', null)
    .gt('ends_at', new Date().toISOString())
    .order('created_at', { ascending: false });

type Link = NonNullable<Awaited<ReturnType<typeof readLinks>>['data']>[number];

/** Asks what a link is for and copies it, and lists the live ones. */
function LinksDialog({ client, id, canAnswer, onClose }: LinksProps & { onClose: () => void }) {
  const [typed, keep] = useKept<Wanted>(`link ${id}`, { may: 'approve', label: '', roster: false });
  const [links, setLinks] = useState<Link[]>([]);
  const [made, setMade] = useState<{ url: string; says: string }>();
  const { problem, isBusy, send } = useRequest(null, '');
  const list = useRef<HTMLUListElement>(null);
  const read = useCallback(async () => {
    const { data } = await readLinks(client, id);
    setLinks(before => data ?? before);
  }, [client, id]);
  useEffect(() => void read(), [read]);

  function change(next: Partial<Wanted>) {
    keep({ ...typed, ...next });
    setMade(undefined);
  }

  async function copy() {
    const wanted = { ...typed, may: canAnswer ? typed.may : 'read' } as const;
    const { data } = await send(share(client, id, wanted));
    if (data) {
      // The browser may forbid it; without https it has no clipboard.
      const copied = await navigator.clipboard?.writeText(data.url).then(
        () => 'Copied: it',
        () => undefined,
      );
      setMade({ url: data.url, says: `${copied ?? 'It'} opens the offer until ${date(data.ends_at)}.` });
      await read();
    }
  }

  async function revoke(link: Link) {
    list.current?.focus(); // The button that was pressed goes.
    setMade(undefined);
    await send(client.from('quote_links').delete().match({ id: link.id }));
    await read();
  }

  return (
    <Dialog
      {...{ title: 'Share this offer', action: 'Copy the link', dismiss: 'Close', isBusy }}
      onConfirm={copy}
      onCancel={onClose}
    >
      {canAnswer && (
        <Choice
          label="Whoever has the link"
          name="may"
          options={{ approve: 'may answer the offer', read: 'only reads the offer' }}
          hint="To answer is to approve, to decline, or to ask for changes."
          value={typed.may}
          onChange={({ target }) => change({ may: target.value as Wanted['may'] })}
        />
      )}
      <Field
        label="For whom it is"
        name="label"
        maxLength={50}
        issues={problem?.issues}
        hint="You see it in this list. The page of the offer doesn’t show it."
        value={typed.label}
        onChange={({ target }) => change({ label: target.value })}
      />
      <Check
        label="Show the names and numbers of the players"
        checked={typed.roster}
        onChange={({ target }) => change({ roster: target.checked })}
      />
      {problem && <Notice kind="error">{problem.sentence}</Notice>}
      {made && (
        <Notice kind="good">
          <Field
            {...{ label: made.says, name: 'url', readOnly: true, value: made.url }}
            onFocus={({ target }) => target.select()}
          />
        </Notice>
      )}
      <ul className="links" ref={list} tabIndex={-1} aria-label="Links that open it">
        {links.map(link => (
          <li key={link.id}>
            <span>
              <strong>{nameOf(link)}</strong> <span className="muted">{describe(link)}</span>
            </span>
            <Button kind="danger" aria-label={`Revoke: ${nameOf(link)}`} onClick={() => revoke(link)}>
              Revoke
            </Button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

const nameOf = ({ label, created_as }: Link): string =>
  label ?? (created_as === 'sweep' ? 'In an e-mail' : 'For anybody');

const describe = ({ may, roster, opened_at, ends_at }: Link): string =>
  [
    `${may === 'approve' ? 'may answer' : 'only reads'}${roster ? ', sees names' : ''}`,
    opened_at ? `last opened ${hour(opened_at)}` : 'never opened',
    `until ${date(ends_at)}`,
  ].join(', ');
