/** Draws the jersey in its colours, with its text and, if there is one, its graphic. */
export function drawJersey(svg, { primary, secondary, text, graphic }) {
  svg.querySelector('.body').setAttribute('fill', primary);
  svg.querySelector('.trim').setAttribute('fill', secondary);
  const label = svg.querySelector('text');
  label.textContent = text;
  label.setAttribute('fill', secondary);
  const image = svg.querySelector('image');
  if (graphic) {
    image.setAttribute('href', graphic.file_url);
  } else {
    image.removeAttribute('href');
  }
}
