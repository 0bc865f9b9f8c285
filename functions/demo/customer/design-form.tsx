/** The looks of the jersey: its text, its colors and its logo. */
import { inWords } from '../format.ts';
import { colorName, type Design, palette, patterns } from '../jersey/design.ts';
import { chest, fitText } from '../jersey/jersey.tsx';
import { useSession } from '../supabase.ts';
import { Choice, Field, type Issue } from '../ui/field.tsx';
import { Notice, Skeleton } from '../ui/pieces.tsx';
import { useLibrary } from '../use-library.ts';
import type { Details } from './details.ts';

interface DesignFormProps {
  design: Design;
  onDesign: (design: Design) => void;
  details: Details;
  onChange: (details: Details) => void;
  issues: Issue[];
}

const sports = {
  baseball: 'Baseball',
  basketball: 'Basketball',
  football: 'Football',
  hockey: 'Hockey',
  soccer: 'Soccer',
  softball: 'Softball',
  volleyball: 'Volleyball',
};

export function DesignForm({ design, onDesign, details, onChange, issues }: DesignFormProps) {
  const { fits } = fitText(design.chestText, chest);
  const others = details.sport in sports ? {} : { [details.sport]: inWords(details.sport) };
  return (
    <section className="card" aria-labelledby="design">
      <h3 id="design">Design</h3>
      <div className="columns">
        <Field
          label="Text on the chest"
          name="customization.jersey.text"
          issues={issues}
          hint={fits ? '' : 'Too long: the letters would be too small to read.'}
          value={design.chestText}
          maxLength={60}
          placeholder="Your team"
          onChange={event => onDesign({ ...design, chestText: event.target.value })}
        />
        <Choice
          label="Sport"
          name="sport"
          issues={issues}
          options={{ ...sports, ...others }}
          value={details.sport}
          onChange={event => onChange({ ...details, sport: event.target.value })}
        />
        <Choice
          label="Pattern"
          name="customization.jersey.pattern"
          options={patterns}
          value={Object.hasOwn(patterns, design.pattern) ? design.pattern : ''}
          onChange={event => onDesign({ ...design, pattern: event.target.value })}
        />
      </div>
      {(['primary', 'secondary', 'accent'] as const).map(part => (
        <Swatches
          key={part}
          label={{ primary: 'Fabric', secondary: 'Letters and trim', accent: 'Outline' }[part]}
          name={part}
          value={design[part]}
          onChange={color => onDesign({ ...design, [part]: color })}
        />
      ))}
      {design.primary === design.secondary && (
        <Notice kind="warning">Letters in the color of the fabric can’t be read.</Notice>
      )}
      <Logos chosen={design.graphic} onChange={graphic => onDesign({ ...design, graphic })} />
    </section>
  );
}

/** Offers the graphics of the library, and none. */
function Logos({ chosen, onChange }: { chosen: string; onChange: (code: string) => void }) {
  const graphics = useLibrary(useSession().customer.client);
  return (
    <fieldset>
      <legend>Logo</legend>
      {!graphics && <Skeleton lines={2} />}
      <div className="tiles">
        {[{ code: '', name: 'No logo', file_url: '', tags: null }, ...(graphics ?? [])].map(
          ({ code, name, file_url, tags }) => (
            <label key={code} className={tags?.includes('dark') ? 'tile dark' : 'tile'}>
              <input type="radio" name="logo" checked={code === chosen} onChange={() => onChange(code)} />
              {file_url ? <img src={file_url} alt="" /> : <span className="none" />}
              <span>{name}</span>
            </label>
          ),
        )}
      </div>
    </fieldset>
  );
}

interface SwatchesProps {
  label: string;
  name: string;
  value: string;
  onChange: (color: string) => void;
}

/** A choice of colors by their names. */
const Swatches = ({ label, name, value, onChange }: SwatchesProps) => (
  <fieldset className="swatches">
    <legend>
      {label} <span className="muted">{colorName(value)}</span>
    </legend>
    <div className="swatch-row">
      {Object.entries(palette).map(([colorLabel, color]) => (
        <label key={color} className="swatch" title={colorLabel}>
          <input
            {...{ type: 'radio', name, checked: color === value.toLowerCase() }}
            aria-label={colorLabel}
            onChange={() => onChange(color)}
          />
          <svg viewBox="0 0 2 2" aria-hidden="true">
            <rect width="2" height="2" fill={color} />
          </svg>
        </label>
      ))}
    </div>
  </fieldset>
);
