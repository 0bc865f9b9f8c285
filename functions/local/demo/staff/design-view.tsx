/** The design as the customer sees it: the jersey, its colors, and the roster. */
import { useEffect, useState } from 'react';
import { players as inWords } from '../format.ts';
import { PlayerTitles, ShownPlayer } from '../customer/player-row.tsx';
import { colorName, readDesign } from '../jersey/design.ts';
import { Jersey } from '../jersey/jersey.tsx';
import { describeSizes } from '../jersey/sizes.ts';
import type { Client } from '../supabase.ts';
import { Button } from '../ui/button.tsx';
import { useSession } from '../use-session.ts';
import type { Opened } from './queries.ts';

export function DesignView({ quote }: { quote: Opened }) {
  const { customization, colors, size_breakdown } = quote;
  const { client } = useSession().staff;
  const design = readDesign(customization, colors);
  const logo = useLogo(client, design.graphic);
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
              <table className="roster">
                <caption className="visually-hidden">Roster</caption>
                <PlayerTitles />
                <tbody>
                  {design.players.map((player, index) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: players have no identity but their place.
                    <ShownPlayer key={index} {...player} />
                  ))}
                </tbody>
              </table>
            </div>
          )}
        </div>
      </div>
    </section>
  );
}

interface Logo {
  name: string;
  file_url: string;
}

/** Returns the graphic with this code; null for none, or until it was read. */
function useLogo(client: Client, code: string): Logo | null {
  const [found, setFound] = useState<{ code: string; logo: Logo | null }>({ code: '', logo: null });
  useEffect(() => {
    let isMounted = true;
    if (code !== '') {
      const graphic = client.from('graphics').select('name, file_url').eq('code', code).maybeSingle();
      graphic.then(({ data: logo }) => isMounted && setFound({ code, logo }));
    }
    return () => {
      isMounted = false;
    };
  }, [client, code]);
  return found.code === code ? found.logo : null;
}
