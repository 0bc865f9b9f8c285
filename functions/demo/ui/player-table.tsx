/** A roster that is only shown, and the titles of any. */
import type { ReactNode } from 'react';
import type { Player } from '../jersey/design.ts';

export const PlayerTitles = ({ children }: { children?: ReactNode }) => (
  <thead>
    <tr>
      <th scope="col">Name</th>
      <th scope="col">No.</th>
      <th scope="col">Size</th>
      {children}
    </tr>
  </thead>
);

export const PlayerTable = ({ players, caption }: { players: Player[]; caption: string }) => (
  <table className="roster">
    <caption className="visually-hidden">{caption}</caption>
    <PlayerTitles />
    <tbody>
      {players.map(({ name, number, size }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a player is known by its place alone.
        <tr key={index}>
          <td>{name || '–'}</td>
          <td>{number || '–'}</td>
          <td>{size || '–'}</td>
        </tr>
      ))}
    </tbody>
  </table>
);
