/** Asks for another price, with a note of what should be different. */
import { useState } from 'react';
import { Dialog } from '../ui/dialog.tsx';
import { TextArea } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { addNote, excessOf } from './details.ts';

interface AskAgainProps {
  /** What the customer wrote before, to which the note is added. */
  notes: string;
  /** A note that could not be sent. */
  unsent: string;
  onAsk: (note: string) => void;
  onCancel: () => void;
}

export function AskAgain({ notes, unsent, onAsk, onCancel }: AskAgainProps) {
  const [text, setText] = useState(unsent);
  const excess = text.trim() === '' ? 0 : excessOf(addNote(text, notes));
  return (
    <Dialog
      title="Ask for another price"
      action="Ask for it"
      onCancel={onCancel}
      onConfirm={() => excess === 0 && onAsk(text)}
    >
      <TextArea
        label="What should be different?"
        name="note"
        value={text}
        rows={5}
        hint={notes && 'It is added above your notes.'}
        onChange={event => setText(event.target.value)}
      />
      {excess > 0 && (
        <Notice kind="error">
          Together with your notes, this is too long by about {excess} letters. Write less here, or nothing.
        </Notice>
      )}
    </Dialog>
  );
}
