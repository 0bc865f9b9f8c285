/** A question before an action, or something to look at. Its buttons stay in sight while what is between scrolls. */
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { Button } from './button.tsx';

interface DialogProps {
  title: string;
  /** The label of the button that does it; none if there is nothing to do. */
  action?: string | undefined;
  /** The label of the button that doesn't. */
  dismiss?: string;
  kind?: 'primary' | 'danger';
  /** Whether the action is running. */
  isBusy?: boolean;
  children?: ReactNode;
  onConfirm?: () => void;
  onCancel: () => void;
}

/** Asks while it is rendered. The browser keeps the focus inside, and Escape cancels. */
export function Dialog(props: DialogProps) {
  const {
    title,
    action,
    dismiss = 'Cancel',
    kind = 'primary',
    isBusy,
    children,
    onConfirm,
    onCancel,
  } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    dialog.current?.showModal();
    // What scrolls can be reached by keys.
    if (body.current && body.current.scrollHeight > body.current.clientHeight) {
      body.current.tabIndex = 0;
    }
  }, []);
  return (
    <dialog ref={dialog} className="dialog" aria-labelledby={id} onClose={onCancel}>
      <h2 id={id}>{title}</h2>
      <div className="dialog-body" ref={body}>
        {children}
      </div>
      <div className="actions">
        {/* The browser gives the focus back when it closes it. */}
        <Button onClick={() => dialog.current?.close()}>{dismiss}</Button>
        {action && (
          <Button kind={kind} isBusy={isBusy ?? false} onClick={onConfirm}>
            {action}
          </Button>
        )}
      </div>
    </dialog>
  );
}
