/** Fields of a form, with what the service says is wrong with them. */
import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react';
import type { Issue } from '../../../schema/database.ts';

export type { Issue };

interface FrameProps {
  label: string;
  /** The path of the field, as the service names it. */
  name: string;
  issues?: Issue[] | undefined;
  hint?: ReactNode;
}

type Labelled<Attributes> = FrameProps & Attributes;

/** Returns an issue's sentence, with the label in place of the path: "E-mail must be one address". */
const sentenceOf = ({ path, message }: Issue, label: string): string =>
  message.startsWith(path) ? label + message.slice(path.length) : message;

/** Returns the control's attributes, and what puts it between its label and its hint. */
function useFrame<T extends FrameProps>({ label, name, issues = [], hint, ...props }: T) {
  const id = useId();
  const messages = issues.filter(({ path }) => path === name).map(issue => sentenceOf(issue, label));
  const hasError = messages.length > 0;
  const control = {
    ...props,
    id,
    name,
    'aria-invalid': hasError || undefined,
    'aria-describedby': `${id}hint`,
  };
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

export function Field(props: Labelled<InputHTMLAttributes<HTMLInputElement>>) {
  const { control, frame } = useFrame(props);
  return frame(<input {...control} />);
}

export function TextArea(props: Labelled<TextareaHTMLAttributes<HTMLTextAreaElement>>) {
  const { control, frame } = useFrame(props);
  return frame(<textarea rows={3} {...control} />);
}

/** A box to check, in front of its label. */
export const Check = ({ label, ...props }: { label: string } & InputHTMLAttributes<HTMLInputElement>) => (
  <label className="check">
    <input type="checkbox" {...props} /> {label}
  </label>
);

type ChoiceProps = Labelled<SelectHTMLAttributes<HTMLSelectElement>> & {
  /** The values, and how they are called. */
  options: Record<string, string>;
};

export function Choice({ options, ...props }: ChoiceProps) {
  const { control, frame } = useFrame(props);
  return frame(
    <select {...control}>
      {Object.entries(options).map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>,
  );
}

/** Says what is wrong with a field of the page, and leads there. */
export function IssueLink({ issue }: { issue: Issue }) {
  const control = document.getElementsByName(issue.path)[0];
  const label = control instanceof HTMLInputElement && control.labels?.[0]?.textContent;
  return control ? (
    <button type="button" className="link" onClick={() => control.focus()}>
      {sentenceOf(issue, label || issue.path)}
    </button>
  ) : (
    <span>{issue.message}</span>
  );
}
