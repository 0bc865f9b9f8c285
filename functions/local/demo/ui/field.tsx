/** Fields of a form, with what the service says is wrong with them. */
import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react';
import type { Issue } from '../../../../schema/database.ts';

export type { Issue };

interface FrameProps {
  label: string;
  /** The path of the field, as the service names it. */
  name: string;
  issues?: Issue[] | undefined;
  hint?: ReactNode;
}

type Labelled<Attributes> = FrameProps & Attributes;

/** Returns the parts around a control, and the attributes that connect it with them. */
function useFrame({ label, name, issues = [], hint }: FrameProps) {
  const id = useId();
  const messages = issues
    .filter(({ path }) => path === name)
    .map(({ message }) => sentence(message, name, label));
  const hasError = messages.length > 0;
  const control = { id, name, 'aria-invalid': hasError || undefined, 'aria-describedby': `${id}hint` };
  const frame = (child: ReactNode) => (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {child}
      <p className={hasError ? 'field-error' : 'field-hint'} id={`${id}hint`}>
        {hasError ? messages.join(' ') : hint}
      </p>
    </div>
  );
  return { control, frame };
}

/** Returns a message with the label in place of the path: "E-mail must be one address". */
const sentence = (message: string, name: string, label: string): string =>
  message.startsWith(name) ? label + message.slice(name.length) : message;

export function Field({
  label,
  name,
  issues,
  hint,
  ...props
}: Labelled<InputHTMLAttributes<HTMLInputElement>>) {
  const { control, frame } = useFrame({ label, name, issues, hint });
  return frame(<input {...props} {...control} />);
}

export function TextArea({
  label,
  name,
  issues,
  hint,
  ...props
}: Labelled<TextareaHTMLAttributes<HTMLTextAreaElement>>) {
  const { control, frame } = useFrame({ label, name, issues, hint });
  return frame(<textarea rows={3} {...props} {...control} />);
}

type ChoiceProps = Labelled<SelectHTMLAttributes<HTMLSelectElement>> & {
  /** The values, and how they are called. */
  options: Record<string, string>;
};

export function Choice({ label, name, issues, hint, options, ...props }: ChoiceProps) {
  const { control, frame } = useFrame({ label, name, issues, hint });
  return frame(
    <select {...props} {...control}>
      {Object.entries(options).map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>,
  );
}
