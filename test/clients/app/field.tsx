import { type ComponentProps, useId } from 'react';
import type { Issue } from '../../../schema/database.ts';

interface Props extends ComponentProps<'input'> {
  label: string;
  name: string;
  issues: readonly Issue[];
}

/** An input with what the service says of it: the path of an issue is the name of its field. */
export function Field({ label, issues, ...input }: Props) {
  const id = useId();
  const issue = issues.find(({ path }) => path === input.name);
  return (
    <div>
      <label>
        {label} <input {...input} aria-invalid={issue !== undefined} aria-describedby={id} />
      </label>
      <span id={id} role="alert">
        {issue?.message}
      </span>
    </div>
  );
}
