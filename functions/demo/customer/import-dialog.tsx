/** The step between choosing a list and adding its players: what was read, and what each column is taken for. */
import { useMemo, useState } from 'react';
import { players as countOf } from '../format.ts';
import type { Player } from '../jersey/design.ts';
import { describeSizes } from '../jersey/sizes.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Choice, TextArea } from '../ui/field.tsx';
import { Notice, PlayerTable } from '../ui/pieces.tsx';
import {
  type Guess,
  guessColumns,
  mostPlayers,
  readPlayers,
  tableOf,
  tooManyPlayers,
  type Use,
  uses,
  withoutKnown,
} from './roster-columns.ts';
import { readRows } from './roster-file.ts';

/** A list that is not added yet, with what was chosen for it. */
export interface List {
  /** What was pasted, or is in the file; empty when it is still to be pasted. */
  text: string;
  chosen: Partial<Guess>;
  /** Whether players that are known are added again; empty until it is said. */
  repeated: '' | 'all' | 'new';
  /** The file, and how its letters were read. */
  name?: string;
  encoding?: string;
}

export const emptyList: List = { text: '', chosen: {}, repeated: '' };

interface ImportDialogProps {
  list: List;
  onChange: (list: List) => void;
  /** The players of the roster. */
  present: Player[];
  onAdd: (players: Player[]) => void;
  onCancel: () => void;
}

/** Rows of a list that are shown as examples. */
const examples = 3;

export function ImportDialog({ list, onChange, present, onAdd, onCancel }: ImportDialogProps) {
  const { text, chosen, repeated, encoding } = list;
  const [isTried, setTried] = useState(false);
  const { rows: all, problem: unread } = useMemo(() => readRows(text), [text]);
  const rows = useMemo(() => tableOf(all), [all]);
  const { columns, hasTitles } = { ...guessColumns(rows), ...chosen };
  const body = hasTitles ? rows.slice(1) : rows;
  const { players: read, problem: refused, skipped } = readPlayers(body, columns);
  const others = withoutKnown(read, present);
  const known = read.length - others.length;
  const players = repeated === 'new' ? others : read;
  const titleOf = (column: number) => (hasTitles && rows[0]?.cells[column]) || `Column ${column + 1}`;
  const above = all.slice(0, rows[0] && all.indexOf(rows[0]));
  const unused = [
    ...above.map(({ cells }) => `“${cells.filter(Boolean).join(', ')}”`),
    ...columns.flatMap((use, column) => (use === '' ? [`“${titleOf(column)}”`] : [])),
  ];
  const tooMany = players.length + present.length > mostPlayers && tooManyPlayers;
  const missing =
    (read.length === 0 && 'No players were found in it.') ||
    (hasTitles === undefined && 'Say whether the first row is a player.') ||
    (known > 0 && repeated === '' && 'Say whether to add players again that are listed already.') ||
    (players.length === 0 && 'All of them are on the roster already.');
  const problem = unread ?? refused ?? (tooMany || (isTried && missing));

  /** A use has one column: another one that had it is not used any more. */
  const choose = (column: number, use: Use) =>
    onChange({
      ...list,
      chosen: {
        ...(hasTitles !== undefined && { hasTitles }),
        columns: columns.map((other, at) => (at === column ? use : other === use ? '' : other)),
      },
    });

  return (
    <Dialog
      title="Add players from a list"
      action={players.length > 0 ? `Add ${countOf(players.length)}` : 'Add players'}
      onConfirm={() => (missing || problem ? setTried(true) : onAdd(players))}
      onCancel={onCancel}
    >
      <TextArea
        label="Name, number and size, a player on each line"
        name="pasted"
        rows={text === '' ? 8 : 4}
        placeholder={'Robin Diaz\t00\tM\nSam Okafor\t7\tXL'}
        hint={encoding && `The file was read as ${encoding}. If letters are wrong, save it as UTF-8.`}
        value={text}
        onChange={event => onChange({ ...list, ...emptyList, text: event.target.value })}
      />
      {rows.length > 0 && (
        <>
          <Choice
            label={`The first row: ${rows[0]?.cells.join(', ')}`}
            name="titles"
            options={{
              ...(hasTitles === undefined && { '': '– choose –' }),
              ...{ titles: 'has the titles of the columns', player: 'is a player' },
            }}
            value={hasTitles === undefined ? '' : hasTitles ? 'titles' : 'player'}
            onChange={({ target }) =>
              onChange({ ...list, chosen: { columns, hasTitles: target.value === 'titles' } })
            }
          />
          <fieldset>
            <legend>What is in the columns</legend>
            <div className="columns">
              {columns.map((use, column) => (
                <Choice
                  // biome-ignore lint/suspicious/noArrayIndexKey: a column is known by its place alone.
                  key={column}
                  label={titleOf(column)}
                  name={`column ${column + 1}`}
                  options={uses}
                  value={use}
                  hint={body
                    .slice(0, examples)
                    .map(({ cells }) => cells[column] || '–')
                    .join(', ')}
                  onChange={({ target }) => choose(column, target.value as Use)}
                />
              ))}
            </div>
          </fieldset>
        </>
      )}
      {known > 0 && (
        <Choice
          label={`On the roster already, or twice in the list: ${known} of ${countOf(read.length)}`}
          name="repeated"
          options={{ '': '– choose –', new: 'Add only the others', all: 'Add all of them' }}
          value={repeated}
          onChange={({ target }) => onChange({ ...list, repeated: target.value as typeof repeated })}
        />
      )}
      {players.length > 0 && (
        <>
          <PlayerTable caption="The first players" players={players.slice(0, examples)} />
          <p role="status" className="muted">
            {countOf(players.length)}: {describeSizes(players, null)}.
          </p>
        </>
      )}
      {unused.length > 0 && <Notice kind="warning">Not used: {unused.join(', ')}.</Notice>}
      {skipped.length > 0 && (
        <Notice kind="warning">These lines add no player: {skipped.slice(0, 20).join(', ')}.</Notice>
      )}
      {problem && <Notice kind="error">{problem}</Notice>}
    </Dialog>
  );
}
