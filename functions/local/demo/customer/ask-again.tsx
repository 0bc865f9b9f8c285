/** Asks for another price, with a note of what should be different. */
import { useState } from 'react';
import { Dialog } from '../ui/dialog.tsx';
import { TextArea } from '../ui/field.tsx';

interface AskAgainProps {
  /** What the customer wrote before. */
  notes: string;
  onAsk: (notes: string) => void;
  onCancel: () => void;
}

export function AskAgain({ notes, onAsk, onCancel }: AskAgainProps) {
  const [text, setText] = useState(notes);
  return (
    <Dialog
      title="Ask for another price"
      action="Ask for it"
      onCancel={onCancel}
      onConfirm={() => onAsk(text)}
    >
      <TextArea
        label="What should be different?"
        name="note"
        value={text}
        maxLength={10_000}
        rows={5}
        onChange={event => setText(event.target.value)}
      />
    </Dialog>
  );
}
