/** A row of a roster. */
import type { Player } from '../jersey/design.ts';
import { sizes } from '../jersey/sizes.ts';

interface PlayerRowProps {
  player: Player;
  index: number;
  onChange: (player: Player) => void;
  onRemove: () => void;
}

export function PlayerRow({ player, index, onChange, onRemove }: PlayerRowProps) {
  const { name, number, size } = player;
  const isOther = size !== '' && !sizes.includes(size);
  const of = `of player ${index + 1}`;
  return (
    <tr>
      <td>
        <input
          aria-label={`Name ${of}`}
          value={name}
          maxLength={40}
          onChange={event => onChange({ ...player, name: event.target.value })}
        />
      </td>
      <td>
        <input
          aria-label={`Number ${of}`}
          inputMode="numeric"
          value={number}
          maxLength={3}
          onChange={event => onChange({ ...player, number: event.target.value.replaceAll(/\D/g, '') })}
        />
      </td>
      <td>
        <select
          aria-label={`Size ${of}`}
          value={size}
          onChange={event => onChange({ ...player, size: event.target.value })}
        >
          {['', ...sizes, ...(isOther ? [size] : [])].map(option => (
            <option key={option} value={option}>
              {option || '–'}
            </option>
          ))}
        </select>
      </td>
      <td>
        <button type="button" className="remove" aria-label={`Remove player ${index + 1}`} onClick={onRemove}>
          ×
        </button>
      </td>
    </tr>
  );
}
