/** The files that take longest begin first; otherwise one of them may run alone at the end. */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The longest, those that compute between those that wait. Others run in vitest's order, by their last duration. */
const longFiles = [
  'test/operate/deploy-cloudflare.service.test.ts',
  'test/costs/left.service.test.ts',
  'test/local/damaged-data.service.test.ts',
  'test/faults/workers.service.test.ts',
  'test/live/attacks/attacks.service.test.ts',
  'test/readme.service.test.ts',
  'test/clients/importers.service.test.ts',
  'test/rest/statement/list-plans.service.test.ts',
  'test/faults/ends.service.test.ts',
  'test/delivery/delivery.service.test.ts',
  'test/costs/writes.service.test.ts',
  'test/types.test.ts',
  'test/costs/connections.service.test.ts',
  'test/costs/reads.service.test.ts',
  'test/local/start.service.test.ts',
  'test/sql/prices/sequences.service.test.ts',
  'test/deploy.service.test.ts',
  'test/fuzz/fuzz.service.test.ts',
  'test/sql/login-passwords.service.test.ts',
  'test/sweep/poison.service.test.ts',
  'test/faults/failovers.service.test.ts',
  'test/faults/servers.service.test.ts',
  'test/faults/connections.service.test.ts',
  'test/faults/live-connections.service.test.ts',
  'test/clients/generated.service.test.ts',
  'test/injection/injection.service.test.ts',
  'test/clients/demo-customer.service.test.ts',
  'test/reference/page.service.test.ts',
];

/** What needs no service comes last: it is short, waits for nothing, and fills the time in which others wait. */
function rank({ moduleId, project }: TestSpecification): number {
  const found = longFiles.findIndex(file => moduleId.endsWith(`/${file}`));
  return found === -1 ? longFiles.length + (project.name === 'unit' ? 1 : 0) : found;
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = await super.sort(files);
    return usual.sort((one, other) => rank(one) - rank(other));
  }
}
