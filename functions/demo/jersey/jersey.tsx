/** A jersey, front or back, as an SVG. */
import { useId } from 'react';
import { type Design, type Player, readDesign } from './design.ts';

const font = "Impact, 'Haettenschweiler', 'Arial Narrow Bold', 'Liberation Sans Narrow', sans-serif";

/** The places of text on a jersey: the intended size of letters, and the width that they may have. */
export const chest = { size: 44, width: 134 };
const backName = { size: 24, width: 126 };
const backNumber = { size: 112, width: 130 };

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

interface JerseyProps {
  customization: unknown;
  colors: unknown;
  side: 'front' | 'back';
  /** The address of the logo that the design names, when the library has it. */
  logo?: string | undefined;
  /** Whose name and number are on the back; by default, the first of the roster. */
  player?: number;
}

const torso =
  'M108 34 C122 50 178 50 192 34 L226 48 C232 90 234 120 230 150 L232 318 Q150 334 68 318 L70 150 C66 120 68 90 74 48 Z';
const sleeves = [
  'M74 48 C54 56 40 74 22 132 L60 148 L71 128 Z',
  'M226 48 C246 56 260 74 278 132 L240 148 L229 128 Z',
];
const cuffs = ['M22 132 L60 148 L63 140 L25 123 Z', 'M278 132 L240 148 L237 140 L275 123 Z'];

/** What is drawn on the torso in the color of the outline, as strokes of a width. */
const patterns = new Map<string, [width: number, path: string]>(
  Object.entries({
    pinstripes: [2, 'M86 30v310M107 30v310M128 30v310M150 30v310M172 30v310M193 30v310M214 30v310'],
    hoops: [20, 'M60 186h180M60 230h180M60 274h180'],
    sash: [34, 'M72 60L240 320'],
    halves: [90, 'M195 20v320'],
    chevron: [16, 'M60 150L150 214L240 150M60 182L150 246L240 182'],
    yoke: [70, 'M60 62h180'],
  }),
);

const necks = { front: 'M106 33 L150 84 L194 33', back: 'M106 33 C122 52 178 52 194 33' };

/** Where the sleeves are sewn on, and folds of the fabric. */
const seams =
  'M74 48 C68 90 66 120 71 128 M226 48 C232 90 234 120 229 128 M84 190 C92 230 90 262 84 296 M216 186 C209 226 211 262 216 296';

/** Draws the design of any quote. */
export function Jersey({ customization, colors, side, logo, player = 0 }: JerseyProps) {
  const id = useId();
  const design = readDesign(customization, colors);
  const wearer = design.players[player];
  const [width, pattern] = patterns.get(design.pattern) ?? [];
  return (
    <svg className="jersey" viewBox="0 0 300 350" role="img" aria-label={describe(design, side, player)}>
      <defs>
        <linearGradient id={`${id}fold`}>
          <stop offset="0" stopColor="#000" stopOpacity=".28" />
          <stop offset=".22" stopColor="#fff" stopOpacity=".1" />
          <stop offset=".6" stopColor="#000" stopOpacity="0" />
          <stop offset="1" stopColor="#000" stopOpacity=".3" />
        </linearGradient>
        <clipPath id={`${id}torso`}>
          <path d={torso} />
        </clipPath>
      </defs>
      {/* The outline: a white jersey on a white page, and a black one on a black page, can be seen. */}
      <g fill="none" stroke="#868fa0" strokeLinejoin="round" strokeWidth="4">
        {[...sleeves, torso, ...cuffs].map(path => (
          <path key={path} d={path} />
        ))}
        <path d={necks[side]} strokeWidth="14" />
      </g>
      <g stroke="#0003" strokeLinejoin="round">
        {[...sleeves, torso].map(path => (
          <g key={path}>
            <path d={path} fill={design.primary} />
            {path === torso && (
              <path
                d={pattern}
                fill="none"
                stroke={design.accent}
                strokeWidth={width}
                strokeLinejoin="miter"
                clipPath={`url(#${id}torso)`}
              />
            )}
            <path d={path} fill={`url(#${id}fold)`} stroke="none" />
          </g>
        ))}
        {cuffs.map(path => (
          <path key={path} d={path} fill={design.secondary} />
        ))}
      </g>
      <Collar design={design} side={side} />
      <path d={seams} fill="none" stroke="#000" strokeOpacity=".22" strokeWidth="1.5" />
      <path d="M69 306 Q150 322 231 306" fill="none" stroke={design.accent} strokeWidth="4" />
      {side === 'front' ? (
        <>
          <Line text={design.chestText} y={140} place={chest} design={design} />
          {logo && <image href={logo} x="112" y="168" width="76" height="76" />}
        </>
      ) : (
        <>
          <Line text={wearer?.name.toUpperCase() ?? ''} y={98} place={backName} design={design} />
          <Line text={wearer?.number ?? ''} y={222} place={backNumber} design={design} />
        </>
      )}
    </svg>
  );
}

type JerseysProps = Pick<JerseyProps, 'customization' | 'colors' | 'logo' | 'player'>;

/** Draws both sides of a jersey. */
export const Jerseys = ({ customization, colors, logo, player = 0 }: JerseysProps) => (
  <div className="jerseys">
    <Jersey customization={customization} colors={colors} side="front" logo={logo} />
    <Jersey customization={customization} colors={colors} side="back" player={player} />
  </div>
);

/** Draws the neck: a V in front, with the inside of the back behind it, and a band at the back. */
function Collar({ design, side }: { design: Design; side: JerseyProps['side'] }) {
  const isFront = side === 'front';
  const inside = 'M106 33 C122 21 178 21 194 33 L150 82 Z';
  return (
    <g fill="none" strokeLinejoin="round">
      {isFront && (
        <>
          <path d={inside} fill={design.primary} />
          <path d={inside} fill="#000" fillOpacity=".5" />
          <path d="M106 33 C122 21 178 21 194 33" stroke={design.secondary} strokeWidth="7" />
        </>
      )}
      <path d={necks[side]} stroke={design.secondary} strokeWidth="11" />
      <path d={necks[side]} stroke={design.accent} strokeWidth="2.5" />
    </g>
  );
}

interface LineProps {
  text: string;
  y: number;
  place: typeof chest;
  design: Design;
}

/** Draws a line of text, as large as fits the width. */
function Line({ text, y, place, design }: LineProps) {
  return (
    <text
      x="150"
      y={y}
      textAnchor="middle"
      fontSize={fitText(text, place).size}
      fontFamily={font}
      fontWeight="800"
      fill={design.secondary}
      stroke={design.accent}
      strokeWidth={place.size / 22}
      paintOrder="stroke"
    >
      {text}
    </text>
  );
}

/** Returns what a screen reader says of the jersey. */
function describe({ chestText, players }: Design, side: JerseyProps['side'], player: number): string {
  const wearer = players[player];
  return side === 'front'
    ? `Front of the jersey${chestText && `: ${chestText}`}`
    : `Back of the jersey${wearer ? `: ${wearer.name} ${wearer.number}` : ''}`;
}
