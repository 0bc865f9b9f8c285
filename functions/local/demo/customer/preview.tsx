/** The jersey from both sides, as one of the players wears it. */
import { useState } from 'react';
import { colorName, type Design } from '../jersey/design.ts';
import { Jersey } from '../jersey/jersey.tsx';
import { useLibrary } from './use-library.ts';

export function Preview({ design }: { design: Design }) {
  const library = useLibrary();
  const [player, setPlayer] = useState(0);
  const { players } = design;
  const worn = Math.min(player, players.length - 1);
  const customization = { jersey: { text: design.chestText }, players };
  const graphic = library.graphics?.find(({ code }) => code === design.graphic);
  return (
    <section className="preview card" aria-label="Preview">
      <div className="jerseys">
        <Jersey customization={customization} colors={design} side="front" logo={graphic?.file_url} />
        <Jersey customization={customization} colors={design} side="back" player={worn} />
      </div>
      <p className="muted">
        {[design.primary, design.secondary, design.accent].map(colorName).join(', ')}
        {graphic && ` · ${graphic.name}`}
      </p>
      {players.length > 1 && (
        <label className="wearer">
          <span>Worn by</span>
          <select value={worn} onChange={event => setPlayer(Number(event.target.value))}>
            {players.map(({ name, number }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a player is known by its place alone.
              <option key={index} value={index}>
                {`${number} ${name}`.trim() || `Player ${index + 1}`}
              </option>
            ))}
          </select>
        </label>
      )}
    </section>
  );
}
