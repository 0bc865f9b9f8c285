/** The players: who wears which number in which size. */
import { type ClipboardEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { players as countOf } from '../format.ts';
import { compareSizes, countSizes, type Player } from '../jersey/design.ts';
import { fitsBack } from '../jersey/fit-text.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextArea } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { parseRoster } from './paste.ts';
import { PlayerRow } from './player-row.tsx';

interface RosterProps {
  players: Player[];
  /** How many wear each size, for a quote that has no list of players. */
  counts: Record<string, number>;
  isReadOnly: boolean;
  onChange: (players: Player[]) => void;
}

/** Characters of a list, and players of a roster, at most: more is another file, and would stop the page. */
const most = { characters: 1_000_000, players: 1000 };

const newPlayer: Player = { name: '', number: '', size: 'M' };

export function Roster({ players, counts, isReadOnly, onChange }: RosterProps) {
  const [said, setSaid] = useState('');
  const [pasted, setPasted] = useState<string>();
  const file = useRef<HTMLInputElement>(null);
  const section = useRef<HTMLElement>(null);

  function add(text: string) {
    const isText = text.length <= most.characters && !text.includes('\0');
    const added = isText ? parseRoster(text) : [];
    const next = [...players.filter(({ name, number }) => name || number), ...added];
    if (added.length === 0) {
      setSaid('No players were found in it.');
    } else if (next.length > most.players) {
      setSaid(`A roster has at most ${countOf(most.players)}; this would make ${countOf(next.length)}.`);
    } else {
      onChange(next);
      setSaid(`${countOf(added.length)} added.`);
    }
  }

  /** Changes the number of players, and moves the focus to a control of this row, or of the last one. */
  function changeRows(next: Player[], row: number, control: string) {
    flushSync(() => onChange(next));
    const controls = section.current?.querySelectorAll<HTMLElement>(`tbody ${control}`);
    const last = controls?.item(Math.min(row, controls.length - 1));
    (last ?? section.current?.querySelector<HTMLElement>('.roster-actions .button'))?.focus();
  }

  /** A table of a spreadsheet is pasted as players; a single cell is text. */
  function paste(event: ClipboardEvent) {
    const text = event.clipboardData.getData('text');
    if (/[\t\n]/.test(text.trim())) {
      event.preventDefault();
      add(text);
    }
  }

  return (
    <section className="card" aria-labelledby="roster" ref={section}>
      <div className="card-head">
        <h3 id="roster">Roster</h3>
        <span className="muted">{describeSizes(players.length > 0 ? countSizes(players) : counts)}</span>
      </div>
      {players.length === 0 && (
        <p className="muted">
          {isReadOnly
            ? 'No names are listed.'
            : 'Add players one by one, or bring the whole team from a spreadsheet: name, number and size.'}
        </p>
      )}
      {players.length > 0 && (
        <table className="roster" onPaste={isReadOnly ? undefined : paste}>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">No.</th>
              <th scope="col">Size</th>
              {!isReadOnly && <td />}
            </tr>
          </thead>
          <tbody>
            {players.map((player, index) => (
              <PlayerRow
                // biome-ignore lint/suspicious/noArrayIndexKey: a player is known by its place alone.
                key={index}
                {...{ player, index, isReadOnly }}
                onChange={next => onChange(players.with(index, next))}
                onRemove={() => changeRows(players.toSpliced(index, 1), index, '.remove')}
              />
            ))}
          </tbody>
        </table>
      )}
      {warningsOf(players).map(warning => (
        <Notice key={warning} kind="warning">
          {warning}
        </Notice>
      ))}
      {!isReadOnly && (
        <div className="roster-actions">
          <Button onClick={() => changeRows([...players, newPlayer], players.length, '[aria-label^=Name]')}>
            Add a player
          </Button>
          <Button onClick={() => setPasted('')}>Paste a list</Button>
          <Button onClick={() => file.current?.click()}>Import a CSV file</Button>
          <input
            hidden
            ref={file}
            type="file"
            aria-label="CSV file"
            accept=".csv,.tsv,.txt,text/csv"
            onChange={async ({ target }) => {
              add((await target.files?.[0]?.text()) ?? '');
              target.value = '';
            }}
          />
          <p role="status" className="muted">
            {said}
          </p>
        </div>
      )}
      {pasted !== undefined && (
        <Dialog
          title="Paste your roster"
          action="Add players"
          onConfirm={() => {
            add(pasted);
            setPasted(undefined);
          }}
          onCancel={() => setPasted(undefined)}
        >
          <TextArea
            label="Name, number and size, a player on each line"
            name="pasted"
            rows={8}
            placeholder={'Robin Diaz\t00\tM\nSam Okafor\t7\tXL'}
            value={pasted}
            onChange={event => setPasted(event.target.value)}
          />
        </Dialog>
      )}
    </section>
  );
}

/** Returns how many wear each size, in words: "2 × S, 5 × M". */
const describeSizes = (counts: Record<string, number>): string =>
  Object.entries(counts)
    .sort(([one], [other]) => compareSizes(one, other))
    .map(([size, count]) => `${count} × ${size}`)
    .join(', ');

/** Returns what the customer may have overlooked. */
function warningsOf(players: Player[]): string[] {
  const numbers = players.map(({ number }) => number).filter(Boolean);
  const twice = [...new Set(numbers.filter((number, at) => numbers.indexOf(number) !== at))];
  const odd = numbers.filter(number => !/^\d{1,3}$/.test(number));
  const tooLong = players.filter(player => !fitsBack(player)).map(({ name, number }) => name || number);
  return [
    ...(twice.length > 0 ? [`More than one player wears ${enumerate(twice)}.`] : []),
    ...(odd.length > 0 ? [`A number has one to three digits, unlike ${enumerate(odd)}.`] : []),
    ...(tooLong.length > 0 ? [`Too long for the back of a jersey: ${enumerate(tooLong)}.`] : []),
  ];
}

/** Returns the first names of a list, and how many more there are. */
const enumerate = (names: string[]): string =>
  names.slice(0, 10).join(', ') + (names.length > 10 ? ` and ${names.length - 10} more` : '');
