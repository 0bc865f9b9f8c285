/** A button that can't be pressed twice, and a menu of buttons. */
import { type ButtonHTMLAttributes, type ReactNode, useId } from 'react';

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

/** Keeps what is done rarely behind a button. */
export function Menu({ children }: { children: ReactNode }) {
  const id = useId();
  return (
    <div className="menu">
      <Button popoverTarget={id}>More</Button>
      {/* biome-ignore lint/a11y: keys press its buttons, and a press of one closes it. */}
      <div id={id} popover="auto" onClick={({ currentTarget }) => currentTarget.hidePopover()}>
        {children}
      </div>
    </div>
  );
}
