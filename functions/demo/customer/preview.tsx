/** The jersey from both sides, as one of the players wears it. */
import { useState } from 'react';
import { colorName, type Design } from '../jersey/design.ts';
import { Jersey } from '../jersey/jersey.tsx';
import { Choice } from '../ui/field.tsx';
import { useLibrary } from '../use-library.ts';
import { useSession } from '../use-session.ts';

export function Preview({ design }: { design: Design }) {
  const library = useLibrary(useSession().customer.client);
  const [player, setPlayer] = useState(0);
  const { players } = design;
  const worn = Math.min(player, players.length - 1);
  const customization = { jersey: { text: design.chestText }, players };
  const graphic = library?.find(({ code }) => code === design.graphic);
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
        <Choice
          label="Worn by"
          name="wearer"
          options={Object.fromEntries(
            players.map(({ name, number }, at) => [at, `${number} ${name}`.trim() || `Player ${at + 1}`]),
          )}
          value={worn}
          onChange={({ target }) => setPlayer(Number(target.value))}
        />
      )}
    </section>
  );
}
