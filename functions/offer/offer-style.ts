/** The style of an offer's page: on a phone, in the dark, and on paper. */
import { createHash } from 'node:crypto';

export const offerStyle = `
:root { color-scheme: light dark; --text: #1a1c20; --muted: #555b66; --line: #d0d4da; --page: #fff; --box: #f4f5f7; --accent: #1d4ed8; --on-accent: #fff; --warn: #9a3412; }
@media screen and (prefers-color-scheme: dark) {
  :root { --text: #e8eaed; --muted: #aab0bb; --line: #41464f; --page: #16181c; --box: #22252b; --accent: #8ab4ff; --on-accent: #10131a; --warn: #ffb08a; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
main { max-width: 46rem; margin: 0 auto; padding: 1.25rem 1rem 3rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 1.5rem 0 0.25rem; }
h2 { font-size: 1.1rem; margin: 1.75rem 0 0.5rem; }
p { margin: 0.5rem 0; }
.lines { white-space: pre-line; }
.seller { color: var(--muted); }
.box { border: 1px solid var(--line); background: var(--box); border-radius: 0.5rem; padding: 0.75rem 1rem; margin: 1rem 0; }
.box h2 { margin: 0 0 0.25rem; font-size: 1rem; }
.box p { margin: 0; }
.wrong.box { margin: 1rem 0; }
.box ul { margin: 0; padding-left: 1.25rem; }
.sale { max-height: 11rem; overflow-y: auto; font-size: 0.9rem; }
.pictures { display: flex; flex-wrap: wrap; gap: 0 1rem; }
.pictures img { max-width: 100%; max-height: 18rem; margin-top: 1rem; }
dl { margin: 0; }
dl div { display: flex; gap: 1rem; justify-content: space-between; border-bottom: 1px solid var(--line); padding: 0.4rem 0; }
dt { color: var(--muted); flex: none; max-width: 45%; }
h1, h2, th, dt, summary { overflow-wrap: break-word; }
dd { margin: 0; text-align: right; }
dl .total { font-weight: 700; font-size: 1.15rem; }
dl .total dt { color: inherit; }
svg { width: 0.9em; height: 0.9em; margin-right: 0.3em; vertical-align: -0.08em; }
.pair { display: inline-block; margin-left: 0.75rem; }
table { width: 100%; border-collapse: collapse; }
th, td { text-align: left; border-bottom: 1px solid var(--line); padding: 0.3rem 0.5rem 0.3rem 0; vertical-align: top; }
.answers form, .answers details { margin: 0.75rem 0; }
summary { padding: 0.6rem 0; cursor: pointer; font-weight: 600; }
label { display: block; margin: 0.6rem 0 0.2rem; }
input, textarea, button { font: inherit; color: inherit; width: 100%; padding: 0.6rem 0.75rem; border: 1px solid var(--muted); border-radius: 0.4rem; background: var(--page); }
button { margin-top: 0.9rem; cursor: pointer; font-weight: 600; }
.approve button { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.wrong { color: var(--warn); font-weight: 600; margin: 0.2rem 0 0; }
@media print {
  /* Without margins a browser has no room for the page's address, which has the token. The content brings its own. */
  @page { margin: 0; }
  :root { color-scheme: light; }
  body { font-size: 10.5pt; }
  main { max-width: none; padding: 16mm 18mm; -webkit-box-decoration-break: clone; box-decoration-break: clone; }
  .answers, .screen { display: none; }
  .sale { max-height: none; overflow: visible; }
  .box { background: none; }
  h1, h2 { break-after: avoid; }
  tr, dl, .pictures img, .box:not(.sale) { break-inside: avoid; }
  .pictures img { max-height: 60mm; }
  table { font-size: 9pt; }
  th, td { padding: 0.6mm 2mm 0.6mm 0; }
}
`;

/** The policy of the page: its own style and pictures over https, no script. */
export const offerPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(offerStyle).digest('base64')}'`,
  'img-src https:',
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');
