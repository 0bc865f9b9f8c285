/** The size in which a text fits on a jersey, measured in the font that draws it. */
import type { Player } from './design.ts';

export const font = "Impact, 'Haettenschweiler', 'Arial Narrow Bold', 'Liberation Sans Narrow', sans-serif";

/** The places of text on a jersey: the intended size of letters, and the width that they may have. */
export const chest = { size: 44, width: 134 };
export const backName = { size: 24, width: 126 };
export const backNumber = { size: 112, width: 130 };

/** Letters below this share of the intended size can't be read across a field. */
const leastShare = 0.4;
let canvas: CanvasRenderingContext2D | null | undefined;

/** Returns the largest size, up to the intended one, at which the text is no wider than its place, and whether it can be read. */
export function fitText(text: string, { size, width }: typeof chest): { size: number; fits: boolean } {
  canvas ??= document.createElement('canvas').getContext('2d');
  if (!canvas || text === '') {
    return { size, fits: true };
  }
  canvas.font = `800 ${size}px ${font}`;
  const fitting = Math.min(size, (size * width) / canvas.measureText(text).width);
  return { size: Math.max(fitting, 1), fits: fitting >= size * leastShare };
}

/** Whether name and number of a player can be read on the back. */
export const fitsBack = ({ name, number }: Player): boolean =>
  fitText(name.toUpperCase(), backName).fits && fitText(number, backNumber).fits;
