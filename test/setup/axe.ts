/** What Axe finds on a page. */
import axe from 'axe-core';
import type { Page } from 'playwright-core';

export interface View {
  colorScheme: 'light' | 'dark';
  width: number;
}

/** Wide and as narrow as a small phone, in the light and in the dark. */
export const views: View[] = (['light', 'dark'] as const).flatMap(colorScheme =>
  [1280, 320].map(width => ({ colorScheme, width })),
);

export async function show(page: Page, { colorScheme, width }: View): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ width, height: 844 });
}

/** Returns a line for each element that breaks a rule, but for those that the selectors of `exceptions` match, by rule. */
export async function findings(page: Page, exceptions: Record<string, string> = {}): Promise<string[]> {
  await page.evaluate(axe.source);
  return page.evaluate<string[]>(`axe.run().then(({ violations }) => {
    const exceptions = ${JSON.stringify(exceptions)};
    return violations.flatMap(({ id, nodes }) =>
      nodes
        .map(({ target }) => target.join(' '))
        .filter(selector => !(id in exceptions && document.querySelector(selector).matches(exceptions[id])))
        .map(selector => id + ': ' + selector));
  })`);
}
