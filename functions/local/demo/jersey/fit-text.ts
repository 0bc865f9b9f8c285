/** The size in which a text fits on a jersey, measured in the font that draws it. */

export const font = "Impact, 'Arial Narrow', 'Liberation Sans Narrow', sans-serif";
/** Letters below this share of the intended size can't be read across a field. */
const leastShare = 0.4;
let canvas: CanvasRenderingContext2D | null | undefined;

/** Returns the largest size, up to `size`, at which the text is no wider than `width`, and whether it can be read then. */
export function fitText(text: string, size: number, width: number): { size: number; fits: boolean } {
  canvas ??= document.createElement('canvas').getContext('2d');
  if (!canvas || text === '') {
    return { size, fits: true };
  }
  canvas.font = `800 ${size}px ${font}`;
  const fitting = Math.min(size, (size * width) / canvas.measureText(text).width);
  return { size: Math.max(fitting, 1), fits: fitting >= size * leastShare };
}
