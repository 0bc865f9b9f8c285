/** The players: who wears which number in which size. */
import { type ClipboardEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { players as countOf } from '../format.ts';
import { isListed, type Player, playersPath } from '../jersey/design.ts';
import { fitsBack } from '../jersey/jersey.tsx';
import { describeSizes, sizes } from '../jersey/sizes.ts';
import { digitsOf, withoutInvisible } from '../text.ts';
import { Button } from '../ui/button.tsx';
import type { Issue } from '../ui/field.tsx';
import { Notice, PlayerTable, PlayerTitles } from '../ui/pieces.tsx';
import { useKept } from '../use-kept.ts';
import { emptyList, ImportDialog } from './import-dialog.tsx';
import { readFile } from './roster-file.ts';

interface RosterProps {
  /** The quote's id. */
  id: string;
  players: Player[];
  /** How many wear each size, for a quote that has no list of players. */
  counts: Record<string, number> | null;
  isReadOnly: boolean;
  issues: Issue[];
  onChange: (players: Player[]) => void;
}

const newPlayer: Player = { name: '', number: '', size: '' };

export function Roster({ id, players, counts, isReadOnly, issues, onChange }: RosterProps) {
  const [said, setSaid] = useState('');
  const [pasted, keepPasted] = useKept(`pasted ${id}`, emptyList);
  const [chosen, keepChosen] = useKept(`file ${id}`, emptyList);
  /** The list that is looked at. */
  const [opened, setOpened] = useState<'pasted' | 'chosen'>();
  const keep = opened === 'chosen' ? keepChosen : keepPasted;
  const file = useRef<HTMLInputElement>(null);
  const section = useRef<HTMLElement>(null);
  const listed = players.filter(isListed);
  const missing = listed.length === 0 ? issues.find(({ path }) => path === playersPath) : undefined;

  async function choose(chosenFile: File) {
    const read = await readFile(chosenFile);
    if (read) {
      keepChosen({ ...emptyList, ...read, name: chosenFile.name });
      setOpened('chosen');
    }
    setSaid(
      read ? '' : 'No players were found in it. Save the table as a CSV file, or copy and paste its cells.',
    );
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
      keepPasted({ ...emptyList, text });
      setOpened('pasted');
    }
  }

  return (
    <section className="card" aria-labelledby="roster" ref={section}>
      <div className="card-head">
        <h3 id="roster">Roster</h3>
        <span className="muted">{describeSizes(players, counts)}</span>
      </div>
      {players.length === 0 && (
        <p className="muted">
          {isReadOnly
            ? 'No names are listed.'
            : 'Add players one by one, or bring the whole team from a spreadsheet: name, number and size.'}
        </p>
      )}
      {players.length > 0 && isReadOnly && <PlayerTable caption="Roster" players={players} />}
      {players.length > 0 && !isReadOnly && (
        <table className="roster" onPaste={paste}>
          <PlayerTitles>
            <td />
          </PlayerTitles>
          <tbody>
            {players.map((player, index) => (
              <PlayerRow
                // biome-ignore lint/suspicious/noArrayIndexKey: a player is known by its place alone.
                key={index}
                {...{ player, index }}
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
          <Button
            name={playersPath}
            aria-describedby={missing && 'missing'}
            onClick={() => changeRows([...players, newPlayer], players.length, '[aria-label^=Name]')}
          >
            Add a player
          </Button>
          <Button onClick={() => setOpened('pasted')}>Paste a list</Button>
          <Button onClick={() => file.current?.click()}>Import a CSV file</Button>
          {chosen.name && <Button onClick={() => setOpened('chosen')}>Continue with {chosen.name}</Button>}
          <input
            hidden
            ref={file}
            type="file"
            aria-label="CSV file"
            accept=".csv,.tsv,.txt,text/csv"
            onChange={async ({ target }) => {
              await Promise.all([...(target.files ?? [])].map(choose));
              target.value = '';
            }}
          />
          <p role="status" className="muted">
            {said}
          </p>
          {missing && (
            <p className="field-error" id="missing">
              {missing.message}
            </p>
          )}
        </div>
      )}
      {opened && (
        <ImportDialog
          list={opened === 'chosen' ? chosen : pasted}
          onChange={keep}
          present={listed}
          onCancel={() => setOpened(undefined)}
          onAdd={added => {
            onChange([...listed, ...added]);
            setSaid(`${countOf(added.length)} added.`);
            keep(undefined);
            setOpened(undefined);
          }}
        />
      )}
    </section>
  );
}

/** Returns what the customer may have overlooked. */
function warningsOf(players: Player[]): string[] {
  // Several jerseys of one player are no mistake.
  const different = new Map(players.map(player => [`${player.number} ${player.name}`, player.number]));
  const numbers = [...different.values()].filter(Boolean);
  const twice = [...new Set(numbers.filter((number, at) => numbers.indexOf(number) !== at))];
  const odd = numbers.filter(number => !/^\d{1,3}$/.test(number));
  const tooLong = players.filter(player => !fitsBack(player)).map(({ name, number }) => name || number);
  return [
    ...(twice.length > 0 ? [`More than one player wears ${enumerate(twice)}.`] : []),
    ...(odd.length > 0 ? [`Not a number of one to three digits: ${enumerate(odd)}.`] : []),
    ...(tooLong.length > 0 ? [`Too long for the back of a jersey: ${enumerate(tooLong)}.`] : []),
  ];
}

/** Returns the first names of a list, and how many more there are. */
const enumerate = (names: string[]): string =>
  names.slice(0, 10).join(', ') + (names.length > 10 ? ` and ${names.length - 10} more` : '');

interface PlayerRowProps {
  player: Player;
  index: number;
  onChange: (player: Player) => void;
  onRemove: () => void;
}

function PlayerRow({ player, index, onChange, onRemove }: PlayerRowProps) {
  const { name, number, size } = player;
  const isOther = size !== '' && !sizes.includes(size);
  const of = `of player ${index + 1}`;
  const setNumber = (next: string) => onChange({ ...player, number: next });
  return (
    <tr>
      <td>
        <input
          aria-label={`Name ${of}`}
          value={name}
          maxLength={40}
          onChange={event => onChange({ ...player, name: withoutInvisible(event.target.value) })}
        />
      </td>
      <td>
        <input
          aria-label={`Number ${of}`}
          inputMode="numeric"
          value={number}
          maxLength={3}
          // What an input method is still composing stays as it is.
          onChange={({ target, nativeEvent }) =>
            setNumber((nativeEvent as InputEvent).isComposing ? target.value : digitsOf(target.value))
          }
          onCompositionEnd={({ currentTarget }) => setNumber(digitsOf(currentTarget.value))}
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
