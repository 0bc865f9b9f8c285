/** The jersey from both sides, as one of the players wears it. */
import { useState } from 'react';
import { colorName, type Design } from '../jersey/design.ts';
import { Jersey } from '../jersey/jersey.tsx';
import type { Quote } from '../supabase.ts';
import { useLibrary } from './use-library.ts';

interface PreviewProps {
  design: Design;
  /** Where the images of the saved design are. */
  images?: Pick<Quote, 'preview_front_url' | 'preview_back_url'> | undefined;
}

export function Preview({ design, images }: PreviewProps) {
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
      {images?.preview_front_url && images.preview_back_url && (
        <p className="muted">
          Images as saved: <ImageLink href={images.preview_front_url}>front</ImageLink>,{' '}
          <ImageLink href={images.preview_back_url}>back</ImageLink>
        </p>
      )}
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

const ImageLink = ({ href, children }: { href: string; children: string }) => (
  <a href={href} target="_blank" rel="noreferrer">
    {children}
  </a>
);
