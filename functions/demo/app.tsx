/** The page: signs in, then shows the customer's side or the staff's. */
import { Component, type ReactNode, useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { Bell } from './customer/bell.tsx';
import { type Session, SessionContext, signIn } from './supabase.ts';
import { Notice, Skeleton } from './ui/pieces.tsx';
import { type Side, useHash } from './use-hash.ts';

interface AppProps {
  sides: Record<Side, ReactNode>;
  /** What stands below both sides. */
  children?: ReactNode;
}

const titles = { customer: 'Customer', staff: 'Staff' } as const;

function onNetwork(onChange: () => void): () => void {
  addEventListener('online', onChange);
  addEventListener('offline', onChange);
  return () => {
    removeEventListener('online', onChange);
    removeEventListener('offline', onChange);
  };
}

export function App({ sides, children }: AppProps) {
  const { side, hashes } = useHash();
  const [session, setSession] = useState<Session | null>(null);
  const [hasFailed, setHasFailed] = useState(false);
  const isOnline = useSyncExternalStore(onNetwork, () => navigator.onLine);
  const start = useCallback(() => {
    signIn().then(setSession, error => {
      console.error(error);
      setHasFailed(true);
      setTimeout(start, 3000);
    });
  }, []);
  useEffect(start, [start]);
  useEffect(() => {
    document.title = `${titles[side]} · Uniform Builder`;
  }, [side]);
  return (
    <SessionContext value={session}>
      <header className="top">
        <h1>
          <img src="/reference/favicon.svg" alt="" width="28" height="28" />
          Uniform Builder
        </h1>
        <nav className="sides" aria-label="Sides">
          {(['customer', 'staff'] as const).map(name => (
            <a
              key={name}
              href={name === side ? `#${name}` : hashes[name]}
              aria-current={name === side ? 'page' : undefined}
            >
              {titles[name]}
            </a>
          ))}
        </nav>
        <a className="reference" href="/">
          API reference
        </a>
        {session && side === 'customer' && <Bell />}
      </header>
      {!isOnline && (
        <Notice kind="warning">
          You are offline. What you type stays on this device until you are back.
        </Notice>
      )}
      {session && <Boundary key={side}>{sides[side]}</Boundary>}
      {session && children}
      {!session && (
        <main className="page">
          {hasFailed ? (
            <Notice kind="error">The service can’t be reached. This page tries again by itself.</Notice>
          ) : (
            <Skeleton lines={6} />
          )}
        </main>
      )}
    </SessionContext>
  );
}

/** Shows a sentence in place of a part of the page that failed. The error is in the browser's console. */
class Boundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    return this.state.hasFailed ? (
      <main className="page">
        <Notice kind="error">
          This page has failed. What you typed stays on this device. <a href="/demo">Load it again</a>
        </Notice>
      </main>
    ) : (
      this.props.children
    );
  }
}
