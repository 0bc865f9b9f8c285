/** Images of a jersey, made from its drawing and uploaded, for e-mails, partners and other applications. */

/** Pixels. */
const size = { width: 600, height: 700 };

/** Milliseconds that a file may take. */
const patience = 5000;

/** The columns of the images. */
export interface Previews {
  preview_front_url?: string;
  preview_back_url?: string;
}

/** Uploads an image of each side, and returns where they are. A quote can be saved without them. */
export async function uploadPreviews(
  files: string | undefined,
  id: string,
  preview: Element | null,
): Promise<Previews> {
  const [front, back] = preview?.querySelectorAll<SVGSVGElement>('svg.jersey') ?? [];
  if (!files || !front || !back) {
    return {};
  }
  try {
    const [preview_front_url, preview_back_url] = await Promise.all([
      upload(`${files}previews/${id}-front.jpg`, front),
      upload(`${files}previews/${id}-back.jpg`, back),
    ]);
    return { preview_front_url, preview_back_url };
  } catch (error) {
    console.warn(error);
    return {};
  }
}

async function upload(url: string, svg: SVGSVGElement): Promise<string> {
  const body = await renderImage(svg);
  const { ok, status } = await fetch(url, {
    ...{ method: 'PUT', body, headers: { 'content-type': 'image/jpeg' } },
    signal: AbortSignal.timeout(patience),
  });
  if (!ok) {
    throw new Error(`The preview could not be uploaded: ${status}`);
  }
  return url;
}

/** Draws an SVG on a canvas. Its images must be in it: an image of an SVG loads no others. */
async function renderImage(svg: SVGSVGElement): Promise<Blob> {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  copy.setAttribute('width', `${size.width}`);
  copy.setAttribute('height', `${size.height}`);
  for (const image of copy.querySelectorAll('image')) {
    image.setAttribute('href', await readDataUrl(image.getAttribute('href') ?? ''));
  }
  const drawing = new Image();
  drawing.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
  await drawing.decode();
  const canvas = Object.assign(document.createElement('canvas'), size);
  const context = canvas.getContext('2d');
  if (context) {
    context.fillStyle = '#fff';
    context.fillRect(0, 0, size.width, size.height);
    context.drawImage(drawing, 0, 0, size.width, size.height);
  }
  return new Promise((resolve, reject) =>
    canvas.toBlob(
      blob => (blob ? resolve(blob) : reject(new Error('The canvas is empty'))),
      'image/jpeg',
      0.85,
    ),
  );
}

async function readDataUrl(url: string): Promise<string> {
  const blob = await (await fetch(url, { signal: AbortSignal.timeout(patience) })).blob();
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}
