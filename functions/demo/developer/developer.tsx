/** For developers: the inbox that `npm start` sends its e-mail to. */
import { type ReactNode, useEffect, useState } from 'react';
import { useSession } from '../supabase.ts';
import { Time } from '../ui/pieces.tsx';

export function Developer() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    useSession().showsDeliveries && (
      <footer className="developer">
        <details onToggle={event => setIsOpen(event.currentTarget.open)}>
          <summary>For developers: the e-mails</summary>
          {isOpen && <Inbox />}
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

/** Lists the mails, read again all the time while the page is visible. */
function Inbox() {
  const [mails, setMails] = useState<Mail[] | null>(null);
  useEffect(() => {
    const read = async () => {
      const response = await fetch('/demo/inbox').catch(() => null); // The service may be restarting.
      if (response?.ok) {
        setMails(await response.json());
      }
    };
    read();
    const timer = setInterval(() => document.hidden || read(), interval);
    return () => clearInterval(timer);
  }, []);
  return (
    <section aria-label="E-mails">
      {mails?.length === 0 && <p className="muted">No e-mail yet: one is sent when a quote is priced.</p>}
      {mails?.map(mail => (
        <MailDetails key={`${mail.id} ${mail.received}`} mail={mail} />
      ))}
    </section>
  );
}

/** Shows a mail as text. Only web addresses become links. */
const MailDetails = ({ mail: { to, subject, text, unsubscribe, received } }: { mail: Mail }) => (
  <details>
    <summary>
      <strong>{subject}</strong> to {to.join(', ')}, <Time value={received} />
    </summary>
    <p className="text">
      {text
        .trim()
        .split(/(https?:\/\/\S+)/)
        .map((part, at) => (at % 2 === 0 ? part : <Outside key={part} href={part} />))}
    </p>
    {unsubscribe && <Outside href={unsubscribe}>Unsubscribe</Outside>}
  </details>
);

const Outside = ({ href, children = href }: { href: string; children?: ReactNode }) => (
  <a href={href} target="_blank" rel="noreferrer">
    {children}
  </a>
);
