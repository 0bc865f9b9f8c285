/** The list of players in the builder. */
import { element } from './element.js';

const sizes = ['S', 'M', 'L', 'XL'];

export function addPlayer(roster, name = '') {
  const number = roster.children.length + 1;
  const remove = element('button', { type: 'button', textContent: '×', ariaLabel: 'Remove the player' });
  const player = element(
    'li',
    {},
    element('input', { name: 'name', value: name, placeholder: 'Name', ariaLabel: 'Name', maxLength: 40 }),
    element('input', { name: 'number', type: 'number', value: number, min: 0, max: 99, ariaLabel: 'Number' }),
    element(
      'select',
      { name: 'size', ariaLabel: 'Size' },
      ...sizes.map(size => element('option', { selected: size === 'M' }, size)),
    ),
    remove,
  );
  remove.addEventListener('click', () => player.remove());
  roster.append(player);
}

export const readRoster = roster =>
  [...roster.children].map(player => {
    const value = name => player.querySelector(`[name=${name}]`).value;
    return { name: value('name'), number: Number(value('number')), size: value('size') };
  });
