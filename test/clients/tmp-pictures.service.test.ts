import { it } from 'vitest';
import { offersOf } from '../offer/shared.ts';
import { use } from '../setup/use.ts';
import { startDemo } from './demo.ts';
const demo = use(startDemo, 'stop');
it('pictures', async () => {
  await offersOf(demo.service).writeSeller();
  const customization = { jersey: { text: 'Lions' }, players: [{ name: 'Ito', number: '00', size: 'M' }] };
  const id = await demo.insert({ status: 'quoted', unit_price: 40, total_price: 120, roster_count: 3, customization });
  const { link, post } = offersOf(demo.service);
  const shot = async (name: string) => {
    for (const [w, h, colorScheme] of [[390, 844, 'light'], [1280, 900, 'light'], [1280, 900, 'dark'], [390, 844, 'dark']] as const) {
      await demo.page.setViewportSize({ width: w, height: h });
      await demo.page.emulateMedia({ colorScheme });
      await demo.page.screenshot({ path: `/tmp/pics/${name}-${w}-${colorScheme}.png` });
    }
    await demo.page.setViewportSize({ width: 1280, height: 900 });
  };
  await demo.page.evaluate(`location.hash = '#customer?quote=${id}'`);
  await demo.page.waitForSelector('.history li');
  await shot('customer');
  await demo.press('Copy a link');
  for (const label of ['Treasurer', 'The parents of the team', '']) {
    await demo.page.getByLabel('For whom it is').fill(label);
    await demo.confirm('Copy the link');
    await demo.page.waitForSelector('dialog .notice');
  }
  await shot('dialog');
  await demo.page.keyboard.press('Escape');
  await demo.page.evaluate(`location.hash = '#staff?quote=${id}'`);
  await demo.page.waitForSelector('.desk-open .history li');
  await shot('staff');
  const { path } = await link(id, { account_id: demo.account });
  await post(path, { offer: '1', total: '120', name: 'Ana Ruiz, treasurer', status: 'approved', said: 'For the spring season.' });
  await demo.page.waitForTimeout(1500);
  await demo.page.locator('.desk-open .history').scrollIntoViewIfNeeded();
  await shot('staff-approved');
  await demo.page.evaluate(`location.hash = '#customer?quote=${id}'`);
  await demo.page.waitForSelector('.builder .history li');
  await shot('customer-approved');
});
