/** A jersey, front or back, as an SVG. */
import { useId } from 'react';
import { type Design, readDesign } from './design.ts';
import { backName, backNumber, chest, fitText, font } from './fit-text.ts';

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

const necks = { front: 'M106 33 L150 84 L194 33', back: 'M106 33 C122 52 178 52 194 33' };

/** Where the sleeves are sewn on, and folds of the fabric. */
const seams =
  'M74 48 C68 90 66 120 71 128 M226 48 C232 90 234 120 229 128 M84 190 C92 230 90 262 84 296 M216 186 C209 226 211 262 216 296';

/** Draws the design of any quote. */
export function Jersey({ customization, colors, side, logo, player = 0 }: JerseyProps) {
  const id = useId();
  const design = readDesign(customization, colors);
  const wearer = design.players[player];
  return (
    <svg className="jersey" viewBox="0 0 300 350" role="img" aria-label={describe(design, side, player)}>
      <defs>
        <linearGradient id={`${id}fold`}>
          <stop offset="0" stopColor="#000" stopOpacity=".28" />
          <stop offset=".22" stopColor="#fff" stopOpacity=".1" />
          <stop offset=".6" stopColor="#000" stopOpacity="0" />
          <stop offset="1" stopColor="#000" stopOpacity=".3" />
        </linearGradient>
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
