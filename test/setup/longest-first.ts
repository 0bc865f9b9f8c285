/** The files that take longest begin first; otherwise one of them may run alone at the end. */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The longest first, at full size. What is not here runs in vitest's order: as long as it took the last time. */
export const longFiles = [
  'test/types.test.ts',
  'test/request/grammar.fuzz.test.ts',
  'test/request/regular-expressions.test.ts',
  'test/faults/ends.service.test.ts',
  'test/faults/poolers.service.test.ts',
  'test/faults/failovers.service.test.ts',
  'test/faults/tls.service.test.ts',
  'test/faults/deliveries.service.test.ts',
  'test/faults/live-cuts.service.test.ts',
  'test/faults/live-database.service.test.ts',
  'test/split/connections.service.test.ts',
  'test/deploy.service.test.ts',
  'test/local/start.service.test.ts',
  'test/local/wrangler-dev.service.test.ts',
  'test/costs/connections.service.test.ts',
  'test/costs/costly.service.test.ts',
  'test/fuzz/fuzz.service.test.ts',
  'test/injection/injection.service.test.ts',
  'test/clients/generated.service.test.ts',
];

function rank({ moduleId }: TestSpecification): number {
  const found = longFiles.findIndex(file => moduleId.endsWith(`/${file}`));
  return found === -1 ? longFiles.length : found;
}

const group = ({ project }: TestSpecification): number => project.config.sequence.groupOrder;

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = await super.sort(files);
    return usual.sort((one, other) => group(one) - group(other) || rank(one) - rank(other));
  }
}
