/** The step between choosing a list and adding its players: what was read, and what each column is taken for. */
import { useMemo, useState } from 'react';
import { players as countOf } from '../format.ts';
import type { Player } from '../jersey/design.ts';
import { describeSizes } from '../jersey/sizes.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Choice, TextArea } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { PlayerTable } from '../ui/player-table.tsx';
import { type Guess, guessColumns, readPlayers, type Use, uses } from './roster-columns.ts';
import { readRows } from './roster-file.ts';

interface ImportDialogProps {
  /** What was pasted, or is in the file; empty when it is still to be pasted. */
  text: string;
  /** How the letters of the file were read. */
  encoding?: string;
  /** How many players can be added. */
  room: number;
  onAdd: (players: Player[]) => void;
  onCancel: () => void;
}

/** Rows of a list that are shown as examples. */
const examples = 3;

export function ImportDialog({ text: given, encoding, room, onAdd, onCancel }: ImportDialogProps) {
  const [text, setText] = useState(given);
  const [chosen, setChosen] = useState<Partial<Guess>>({});
  const [isTried, setTried] = useState(false);
  const { rows, problem: unread } = useMemo(() => readRows(text), [text]);
  const { columns, hasTitles } = { ...guessColumns(rows), ...chosen };
  const body = hasTitles ? rows.slice(1) : rows;
  const { players, problem: refused, skipped } = readPlayers(body, columns, room);
  const titleOf = (column: number) => (hasTitles && rows[0]?.cells[column]) || `Column ${column + 1}`;
  const unused = columns.flatMap((use, column) => (use === '' ? [`“${titleOf(column)}”`] : []));
  const missing =
    players.length === 0 ? 'No players were found in it.' : 'Say whether the first row is a player.';
  const isReady = players.length > 0 && hasTitles !== undefined;
  const problem = unread ?? refused ?? (isTried && !isReady && missing);

  /** A use has one column: another one that had it is not used any more. */
  const choose = (column: number, use: Use) =>
    setChosen({
      hasTitles,
      columns: columns.map((other, at) => (at === column ? use : other === use ? '' : other)),
    });

  return (
    <Dialog
      title="Add players from a list"
      action={players.length > 0 ? `Add ${countOf(players.length)}` : 'Add players'}
      onConfirm={() => (isReady ? onAdd(players) : setTried(true))}
      onCancel={onCancel}
    >
      <TextArea
        label="Name, number and size, a player on each line"
        name="pasted"
        rows={text === '' ? 8 : 4}
        placeholder={'Robin Diaz\t00\tM\nSam Okafor\t7\tXL'}
        hint={encoding && `The file was read as ${encoding}. If letters are wrong, save it as UTF-8.`}
        value={text}
        onChange={event => {
          setText(event.target.value);
          setChosen({});
        }}
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
            onChange={({ target }) => setChosen({ columns, hasTitles: target.value === 'titles' })}
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
