/**
 * Redocly and Spectral find nothing in the documents: they are valid, too. They take longer to load than all unit tests, so they
 * run later.
 *
 * @module-tag full
 */
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { type RulesetDefinition, Spectral } from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';
import { describe, expect, it } from 'vitest';
import { described } from '../../../functions/app/described.ts';
import { describeApi, withServer } from '../../../functions/rest/describe/document.ts';
import { describeSwagger, withHost } from '../../../functions/rest/describe/swagger.ts';
import type { Audience } from '../../../schema/collection.ts';

/** What linters say of a document, by their recommended rules: a line for each problem. */
async function redoclyProblems(document: object): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] });
  const source = JSON.stringify(document);
  const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config });
  return problems.map(({ ruleId, location, message }) => `${ruleId} ${location[0]?.pointer}: ${message}`);
}

async function spectralProblems(document: object): Promise<string[]> {
  const spectral = new Spectral();
  spectral.setRuleset({ extends: [[oas as RulesetDefinition, 'recommended']] });
  const problems = await spectral.run(structuredClone(document) as Record<string, unknown>);
  return problems.map(({ code, path, message }) => `${code} ${path.join('.')}: ${message}`);
}

const url = 'https://api.test/rest/v1/';
const openapiFor = (audience: Audience) =>
  JSON.parse(withServer(JSON.stringify(describeApi(described, audience)), url));
const swaggerFor = (audience: Audience) =>
  JSON.parse(withHost(JSON.stringify(describeSwagger(described, audience)), url));

describe.each(['staff', 'customer', 'anon', 'reader'] as Audience[])('for %s', audience => {
  it('the OpenAPI document is valid, misses no response and has no unused component', async () => {
    expect(await redoclyProblems(openapiFor(audience))).toEqual([]);
    expect(await spectralProblems(openapiFor(audience))).toEqual([]);
  });

  it('the Swagger document is valid, and has no problem but what Swagger lacks and PostgREST writes', async () => {
    // Without a licence there is no URL of one, and Swagger has no `identifier`.
    const isLicence = (problem: string) => problem.startsWith('info-license-strict ');
    expect((await redoclyProblems(swaggerFor(audience))).filter(problem => !isLicence(problem))).toEqual([]);
    expect(await spectralProblems(swaggerFor(audience))).toEqual([]);
  });
});
