/** Keeps what depends on the time true while the page is open. */
import { useEffect, useReducer } from 'react';

/** Milliseconds. */
const interval = 20_000;

/** Renders the component again from time to time. */
export function useClock(): void {
  const [, tick] = useReducer((ticks: number) => ticks + 1, 0);
  useEffect(() => {
    const timer = setInterval(tick, interval);
    return () => clearInterval(timer);
  }, []);
}
