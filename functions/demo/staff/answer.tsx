/** Writes to the customer of a quote. */
import { type FormEvent, useState } from 'react';
import { problemOf, useProblem } from '../problem.ts';
import { Button } from '../ui/button.tsx';
import { TextArea } from '../ui/field.tsx';
import { Messages, messageLink } from '../ui/messages.tsx';
import { Notice } from '../ui/notice.tsx';
import { useSession } from '../use-session.ts';
import type { Opened } from './queries.ts';

export function Answer({ quote }: { quote: Opened }) {
  const { client } = useSession().staff;
  const [text, setText] = useState('');
  const [problem, setProblem] = useProblem(quote, quote.status);
  const [isBusy, setIsBusy] = useState(false);

  async function send(event: FormEvent) {
    event.preventDefault();
    setIsBusy(true);
    const { account_id } = quote;
    const message = { account_id, body: text, link: messageLink(quote), channel: 'email' } as const;
    // A message stays with its quote: it does not expire.
    const row = { ...message, dismissed: false, expires_at: null };
    const { error } = await client.from('notifications').insert(row);
    setIsBusy(false);
    setProblem(error && problemOf(error));
    if (!error) {
      setText('');
    }
  }

  return (
    <Messages client={client} quote={quote} title="Messages to the customer">
      <form className="desk-form" onSubmit={send} noValidate>
        <TextArea
          label="Message"
          name="body"
          maxLength={3000}
          issues={problem?.issues}
          hint="The customer sees it with the quote, and gets it by e-mail."
          value={text}
          onChange={event => setText(event.target.value)}
        />
        {problem && problem.issues.length === 0 && <Notice kind="error">{problem.sentence}</Notice>}
        <div className="actions">
          <Button type="submit" isBusy={isBusy}>
            Send the message
          </Button>
        </div>
      </form>
    </Messages>
  );
}
