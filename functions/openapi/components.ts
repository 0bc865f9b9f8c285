/** The parts of a document that others refer to. */
import type { Json } from './json-schema.ts';

export const merge = (parts: Json[]): Json => Object.assign({}, ...parts);

/** Returns the components that `paths` refer to, and those that these refer to, by their kind and name. */
export function usedComponents(components: Record<string, Json>, paths: Json): Record<string, Json> {
  const used = new Set<unknown>();
  const texts = [JSON.stringify(paths)];
  for (const text of texts) {
    for (const [, kind = '', name = ''] of text.matchAll(/"#\/(?:components\/)?(\w+)\/([\w.-]+)"/g)) {
      const component = components[kind]?.[name];
      if (component !== undefined && !used.has(component)) {
        used.add(component);
        texts.push(JSON.stringify(component));
      }
    }
  }
  return Object.fromEntries(
    Object.entries(components).map(([kind, named]) => [
      kind,
      Object.fromEntries(Object.entries(named).filter(([, component]) => used.has(component))),
    ]),
  );
}
