/** A question before an action that can't be undone. */
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { Button } from './button.tsx';

interface DialogProps {
  title: string;
  /** The label of the button that does it. */
  action: string;
  /** The label of the button that doesn't. */
  dismiss?: string;
  kind?: 'primary' | 'danger';
  children?: ReactNode;
  onConfirm: () => void;
  onCancel: () => void;
}

/** Asks while it is rendered. The browser keeps the focus inside, and Escape cancels. */
export function Dialog(props: DialogProps) {
  const { title, action, dismiss = 'Cancel', kind = 'primary', children, onConfirm, onCancel } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} className="dialog" aria-labelledby={id} onClose={onCancel}>
      <h2 id={id}>{title}</h2>
      {children}
      <div className="actions">
        <Button onClick={onCancel}>{dismiss}</Button>
        <Button kind={kind} onClick={onConfirm}>
          {action}
        </Button>
      </div>
    </dialog>
  );
}
