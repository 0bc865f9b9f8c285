/** The design as the customer sees it: the jersey, its colors, and the roster. */
import { players as inWords } from '../format.ts';
import { colorName, readDesign } from '../jersey/design.ts';
import { Jersey } from '../jersey/jersey.tsx';
import { describeSizes } from '../jersey/sizes.ts';
import { Button } from '../ui/button.tsx';
import { PlayerTable } from '../ui/player-table.tsx';
import { useLibrary } from '../use-library.ts';
import { useSession } from '../use-session.ts';
import type { Opened } from './queries.ts';

export function DesignView({ quote }: { quote: Opened }) {
  const { customization, colors, size_breakdown } = quote;
  const { client } = useSession().staff;
  const design = readDesign(customization, colors);
  const logo = useLibrary(client)?.find(({ code }) => code === design.graphic);
  const jersey = { customization, colors, logo: logo?.file_url };
  const listed = design.players.length;
  const ordered = quote.roster_count ?? listed;
  const sizes = describeSizes(design.players, size_breakdown);
  return (
    <section className="card printed">
      <div className="card-head">
        <h3>Design</h3>
        <Button onClick={() => print()}>Print</Button>
      </div>
      <div className="desk-design">
        <div>
          <div className="jerseys">
            <Jersey {...jersey} side="front" />
            <Jersey {...jersey} side="back" />
          </div>
          <ul className="desk-swatches" aria-label="Colors">
            {(['primary', 'secondary', 'accent'] as const).map(name => (
              <li key={name}>
                <svg viewBox="0 0 1 1" aria-hidden="true">
                  <path d="M0 0h1v1H0z" fill={design[name]} />
                </svg>
                {colorName(design[name])} <span className="muted">{name}</span>
              </li>
            ))}
            {logo && <li>Logo: {logo.name}</li>}
          </ul>
        </div>
        <div>
          <h3>
            {inWords(ordered)}
            {listed > 0 && listed !== ordered && ` (${listed} listed)`}{' '}
            <span className="muted">{sizes.replaceAll(' × ', '\u00a0×\u00a0')}</span>
          </h3>
          {listed > 0 && (
            <div className="desk-roster">
              <PlayerTable caption="Roster" players={design.players} />
            </div>
          )}
        </div>
      </div>
    </section>
  );
}
