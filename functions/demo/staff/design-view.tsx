/** The design as the customer sees it: the jersey, its colors, and the roster. */
import { players as inWords } from '../format.ts';
import { describeLooks, readDesign } from '../jersey/design.ts';
import { Jerseys } from '../jersey/jersey.tsx';
import { describeSizes } from '../jersey/sizes.ts';
import { useSession } from '../supabase.ts';
import { Button } from '../ui/button.tsx';
import { PlayerTable } from '../ui/pieces.tsx';
import { useLogo } from '../use-library.ts';
import type { Opened } from './queries.ts';

export function DesignView({ quote }: { quote: Opened }) {
  const { client } = useSession().staff;
  const design = readDesign(quote.customization, quote.colors);
  const logo = useLogo(client, design.graphic);
  const listed = design.players.length;
  const ordered = quote.roster_count ?? listed;
  const sizes = describeSizes(design.players, quote.size_breakdown);
  return (
    <section className="card printed">
      <div className="card-head">
        <h3>Design</h3>
        <Button onClick={() => print()}>Print the job</Button>
      </div>
      <div className="desk-design">
        <div>
          <Jerseys customization={quote.customization} colors={quote.colors} logo={logo?.file_url} />
          <p>{describeLooks(design, logo?.name)}</p>
        </div>
        <div>
          <h3>
            {inWords(ordered)}
            {listed > 0 && listed !== ordered && ` (${listed} listed)`}{' '}
            <span className="muted">{sizes.replaceAll(' × ', '\u00a0×\u00a0')}</span>
          </h3>
          {listed > 0 && <PlayerTable caption="Roster" players={design.players} />}
        </div>
      </div>
    </section>
  );
}
