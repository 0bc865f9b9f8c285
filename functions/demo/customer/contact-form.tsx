/** Who asks for the quote, and where the uniforms go. */
import { day } from '../format.ts';
import { Choice, Field, type Issue, TextArea } from '../ui/field.tsx';
import { Facts } from '../ui/pieces.tsx';
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

const labels: Record<Exclude<DetailName, 'sport'>, string> = {
  contact_name: 'Name',
  company: 'Team or company',
  contact_email: 'E-mail',
  contact_phone: 'Phone',
  event_date: 'Needed by',
  delivery_method: 'Delivery',
  'shipping_address.street': 'Street',
  'shipping_address.city': 'City',
  'shipping_address.state': 'State',
  'shipping_address.zip': 'ZIP code',
  'shipping_address.country': 'Country',
  customer_notes: 'Notes',
};

/** Characters that a field takes. The service counts bytes, of which a letter may have three. */
const longest: Partial<Record<DetailName, number>> = {
  contact_phone: 50,
  contact_email: 254,
  customer_notes: 10_000,
};
const usualLongest = 120;

const names = Object.keys(labels) as (keyof typeof labels)[];

export const ContactForm = (props: ContactFormProps) => (
  <section className="card" aria-labelledby="contact">
    <h3 id="contact">Contact and delivery</h3>
    {props.isReadOnly ? <Facts rows={factsOf(props.details)} /> : <Fields {...props} />}
  </section>
);

type FieldsProps = Pick<ContactFormProps, 'details' | 'onChange' | 'issues'>;

/** Returns what the control of a field gets. */
const controlOf =
  ({ details, onChange, issues }: FieldsProps) =>
  (name: keyof typeof labels) => ({
    ...{ name, label: labels[name], issues, maxLength: longest[name] ?? usualLongest },
    value: details[name],
    onChange: ({ target }: { target: { value: string } }) => onChange({ ...details, [name]: target.value }),
  });

function Fields(props: ContactFormProps) {
  const { details, isDraft } = props;
  const control = controlOf(props);
  return (
    <>
      <div className="columns">
        <Field {...control('contact_name')} autoComplete="name" />
        <Field {...control('company')} autoComplete="organization" />
        <Field
          {...control('contact_email')}
          type="email"
          autoComplete="email"
          hint="We send the price here."
        />
        <Field {...control('contact_phone')} type="tel" autoComplete="tel" />
        <Field
          {...control('event_date')}
          type="date"
          max="9999-12-31"
          disabled={!isDraft}
          hint={new Date(`${details.event_date}T23:59:59`) < new Date() && 'This day has passed.'}
        />
      </div>
      <AddressFields {...props} />
      <TextArea {...control('customer_notes')} />
    </>
  );
}

/** Asks where the uniforms go. */
export function AddressFields(props: FieldsProps) {
  const control = controlOf(props);
  return (
    <div className="columns">
      <Choice {...control('delivery_method')} options={delivery} />
      <Field {...control('shipping_address.street')} autoComplete="street-address" />
      <Field {...control('shipping_address.city')} autoComplete="address-level2" />
      <Field {...control('shipping_address.state')} autoComplete="address-level1" />
      <Field {...control('shipping_address.zip')} autoComplete="postal-code" />
      <Field {...control('shipping_address.country')} autoComplete="country-name" />
    </div>
  );
}

/** Returns what was filled in, for when it can't be changed any more. */
const factsOf = (details: Details): Record<string, string> => ({
  ...Object.fromEntries(names.map(name => [labels[name], details[name]])),
  [labels.event_date]: details.event_date && day(details.event_date),
});
