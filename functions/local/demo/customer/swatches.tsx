/** A choice of colors by their names. */
import { colorName } from '../jersey/design.ts';

interface SwatchesProps {
  label: string;
  name: string;
  value: string;
  /** The colors by their names. */
  options: Record<string, string>;
  onChange: (color: string) => void;
}

export const Swatches = ({ label, name, value, options, onChange }: SwatchesProps) => (
  <fieldset className="swatches">
    <legend>
      {label} <span className="muted">{colorName(value)}</span>
    </legend>
    <div className="swatch-row">
      {Object.entries(options).map(([colorLabel, color]) => (
        <label key={color} className="swatch" title={colorLabel}>
          <input
            type="radio"
            name={name}
            aria-label={colorLabel}
            checked={color === value.toLowerCase()}
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
