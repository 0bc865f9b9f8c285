/** A field of a form, with what the service says is wrong with it. */
import { type InputHTMLAttributes, useId } from 'react';

export interface Issue {
  path: string;
  message: string;
}

interface FieldProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string;
  /** The path of the field, as the service names it. */
  name: string;
  issues?: Issue[] | undefined;
}

export function Field({ label, name, issues = [], ...props }: FieldProps) {
  const id = useId();
  const messages = issues.filter(({ path }) => path === name).map(({ message }) => message);
  const hasError = messages.length > 0;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        {...props}
        id={id}
        name={name}
        aria-invalid={hasError}
        aria-describedby={hasError ? `${id}error` : undefined}
      />
      {hasError && (
        <p className="field-error" id={`${id}error`}>
          {messages.join(' ')}
        </p>
      )}
    </div>
  );
}
