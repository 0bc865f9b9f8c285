/** Who asks for the quote, and where the uniforms go. */
import type { ComponentProps } from 'react';
import { Choice, Field, type Issue, TextArea } from '../ui/field.tsx';
import type { DetailName, Details } from './details.ts';

interface ContactFormProps {
  details: Details;
  onChange: (details: Details) => void;
  issues: Issue[];
  isReadOnly: boolean;
  /** Whether the date can still be chosen. */
  isDraft: boolean;
}

const delivery = { '': 'No preference', standard: 'Standard', express: 'Express', pickup: 'Pick up' };

export function ContactForm({ details, onChange, issues, isReadOnly, isDraft }: ContactFormProps) {
  /** Returns what a control of this field gets. */
  const control = (name: DetailName, label: string) => ({
    ...{ name, label, issues },
    value: details[name],
    onChange: ({ target }: { target: { value: string } }) => onChange({ ...details, [name]: target.value }),
  });
  const text = (name: DetailName, label: string, props: Partial<ComponentProps<typeof Field>> = {}) => (
    <Field {...control(name, label)} {...props} />
  );
  return (
    <section className="card" aria-labelledby="contact">
      <h3 id="contact">Contact and delivery</h3>
      <fieldset className="plain" disabled={isReadOnly}>
        <div className="columns">
          {text('contact_name', 'Name', { autoComplete: 'name' })}
          {text('company', 'Team or company', { autoComplete: 'organization' })}
          {text('contact_email', 'E-mail', {
            type: 'email',
            autoComplete: 'email',
            hint: 'We send the price here.',
          })}
          {text('contact_phone', 'Phone', { type: 'tel', autoComplete: 'tel' })}
          {text('event_date', 'Needed by', { type: 'date', disabled: !isDraft })}
          <Choice {...control('delivery_method', 'Delivery')} options={delivery} />
          {text('shipping_address.street', 'Street', { autoComplete: 'street-address' })}
          {text('shipping_address.city', 'City', { autoComplete: 'address-level2' })}
          {text('shipping_address.state', 'State', { autoComplete: 'address-level1' })}
          {text('shipping_address.zip', 'ZIP code', { autoComplete: 'postal-code' })}
        </div>
        <TextArea {...control('customer_notes', 'Notes')} />
      </fieldset>
    </section>
  );
}
