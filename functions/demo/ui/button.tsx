/** A button that can't be pressed twice. */
import type { ButtonHTMLAttributes } from 'react';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  kind?: 'primary' | 'quiet' | 'danger';
  /** Whether its action is running. It keeps the focus, and ignores presses until then. */
  isBusy?: boolean;
}

export const Button = ({ kind = 'quiet', isBusy = false, onClick, children, ...props }: ButtonProps) => (
  <button
    type="button"
    {...props}
    className={`button ${kind}`}
    aria-disabled={isBusy || undefined}
    aria-busy={isBusy || undefined}
    onClick={event => (isBusy ? event.preventDefault() : onClick?.(event))}
  >
    {children}
  </button>
);
