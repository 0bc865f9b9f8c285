/** The page: signs in, then shows the customer's side or the staff's. */
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { type FetchOf, type Session, signIn } from './supabase.ts';
import { Button } from './ui/button.tsx';
import { Notice } from './ui/notice.tsx';
import { Skeleton } from './ui/pieces.tsx';
import { type Side, useHash } from './use-hash.ts';
import { useOnline } from './use-online.ts';
import { SessionContext } from './use-session.ts';

interface AppProps {
  sides: Record<Side, ReactNode>;
  /** What stands below both sides. */
  children?: ReactNode;
  fetchOf: FetchOf;
}

const titles = { customer: 'Customer', staff: 'Staff' } as const;

export function App({ sides, children, fetchOf }: AppProps) {
  const { side, hashes } = useHash();
  const [session, setSession] = useState<Session | null>(null);
  const [hasFailed, setHasFailed] = useState(false);
  const isOnline = useOnline();
  const start = useCallback(() => {
    setHasFailed(false);
    signIn(fetchOf).then(setSession, () => setHasFailed(true));
  }, [fetchOf]);
  useEffect(start, [start]);
  useEffect(() => {
    document.title = `${titles[side]} · Uniform Builder`;
  }, [side]);
  return (
    <>
      <header className="top">
        <h1>Uniform Builder</h1>
        <nav aria-label="Sides">
          {(['customer', 'staff'] as const).map(name => (
            <a key={name} href={hashes[name]} aria-current={name === side ? 'page' : undefined}>
              {titles[name]}
            </a>
          ))}
        </nav>
        <a href="/">API reference</a>
      </header>
      {!isOnline && <Notice kind="warning">You are offline. What you type is kept on this device.</Notice>}
      {session && (
        <SessionContext value={session}>
          {sides[side]}
          {children}
        </SessionContext>
      )}
      {!session && !hasFailed && <Skeleton lines={6} />}
      {hasFailed && (
        <Notice kind="error">
          The service can't be reached. <Button onClick={start}>Try again</Button>
        </Notice>
      )}
    </>
  );
}
