/**
 * Makes functions/demo/demo.webp, the README's moving picture: a customer and the staff on the page `/demo`, side by side.
 * It needs Chromium, ffmpeg with libwebp (Debian: `chromium ffmpeg`), and `npm start` with a new database:
 *
 *     npx tsx test/demo/moving-picture.ts http://127.0.0.1:8787
 */
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { startChromium } from '../setup/chromium.ts';

const [address = 'http://127.0.0.1:8787', output = 'functions/demo/demo.webp'] = process.argv.slice(2);
const size = { width: 640, height: 720 };
/** Bytes. */
const most = 1_500_000;

const directory = await mkdtemp(join(tmpdir(), 'moving-picture-'));
const chromium = await startChromium();
const [customer, staff] = await Promise.all([open('customer'), open('staff')]);
const lists: Record<'customer' | 'staff', string[]> = { customer: [], staff: [] };

async function open(side: string): Promise<Page> {
  const { page } = await chromium.open(`${address}/demo#${side}`);
  await page.setViewportSize(size);
  return page;
}

let frames = 0;
/** Adds what both sides show now, for so many seconds. */
async function frame(seconds: number): Promise<void> {
  frames += 1;
  for (const [side, page] of Object.entries({ customer, staff })) {
    const path = join(directory, `${side}-${frames}.png`);
    await page.screenshot({ path });
    lists[side as keyof typeof lists].push(`file '${path}'\nduration ${seconds}`);
  }
}

/** Types a text, with a frame for each part of it, in which something else of the customer's page may be in view. */
async function type(field: Locator, parts: string[], shown?: string): Promise<void> {
  for (const part of parts) {
    await field.pressSequentially(part);
    await (shown && scroll(customer, shown));
    await frame(0.4);
  }
}

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click();
/** Presses a button of the staff, and that of the dialog that asks. */
async function pressTwice(name: string): Promise<void> {
  await press(staff, name);
  await staff.getByRole('dialog').getByRole('button', { name }).click();
}
const scroll = (page: Page, selector: string) =>
  page.evaluate(`document.querySelector(${JSON.stringify(selector)}).scrollIntoView({ block: 'center' })`);

await customer.getByText('Foxes').first().waitFor();
await staff.getByText('QT-').first().waitFor();
await frame(2);
await press(customer, 'New design');
const chest = customer.getByLabel('Text on the chest');
await type(chest, ['Wo', 'lv', 'es'], '.preview');
await customer.getByLabel('Pattern').selectOption('sash');
await scroll(customer, '.preview');
await frame(0.8);
await customer
  .getByRole('group', { name: /^Fabric/ })
  .getByLabel('Maroon')
  .check();
await scroll(customer, '.preview');
await frame(1);
await press(customer, 'Paste a list');
await customer.getByLabel(/^Name, number/).fill('Robin Diaz\t00\tM\nSam Okafor\t7\tXL\nKim Lee\t12\tS');
await frame(1.5);
await press(customer, 'Add 3 players');
await customer.getByLabel('E-mail', { exact: true }).fill('coach@wolves.example');
await scroll(customer, '#roster');
await frame(1);
await press(customer, 'Submit for a price');
await customer.getByText('We send the price to').waitFor();
await staff.getByText('Wolves').first().waitFor();
await frame(2);
await staff.getByRole('link', { name: /Wolves/ }).click();
const unit = staff.locator('[name=unit_price]');
await unit.waitFor();
await frame(1);
await type(unit, ['41', '.50']);
await pressTwice('Send the offer');
await staff.getByText('is with the customer').waitFor();
await customer.getByText('Your price').waitFor();
await scroll(customer, '.offer');
await frame(2);
await press(customer, 'Approve $124.50');
await frame(1.5);
const dialog = customer.getByRole('dialog');
await scroll(customer, 'dialog [name="shipping_address.street"]');
await type(dialog.getByLabel('Street'), ['1 Main St']);
await type(dialog.getByLabel('City'), ['Springfield']);
await dialog.getByRole('button', { name: 'Approve $124.50' }).click();
await customer.getByText('Approved price').waitFor();
await staff.getByRole('button', { name: 'Place the order' }).waitFor();
await scroll(customer, '.offer');
await frame(2);
await pressTwice('Place the order');
await pressTwice('Start the review');
await customer.locator('.steps .done').waitFor();
await staff.getByText('is being reviewed').waitFor();
await frame(3);
await chromium.stop();

const inputs = [];
for (const [side, list] of Object.entries(lists)) {
  const path = join(directory, `${side}.txt`);
  await writeFile(path, ['ffconcat version 1.0', ...list, list.at(-1)?.split('\n')[0], ''].join('\n'));
  inputs.push('-safe', '0', '-i', path);
}
const filter = '[0]pad=iw+4:ih:0:0:0x868fa0[left];[left][1]hstack,fps=5';
const codec = ['-c:v', 'libwebp_anim', '-quality', '60', '-compression_level', '6', '-loop', '0'];
execFileSync('ffmpeg', ['-v', 'error', '-y', ...inputs, '-filter_complex', filter, ...codec, output]);
await rm(directory, { recursive: true });
const { size: bytes } = await stat(output);
console.log(`${output}: ${frames} pictures, ${bytes} bytes`);
if (bytes > most) {
  console.error(`It must have at most ${most} bytes.`);
  process.exitCode = 1;
}
