/** Compares an answer of the service with what the OpenAPI document says of it. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Reply } from '../../setup/wire.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects, and fails when it is not there
type Json = any;

/** Headers that say nothing of the API: of HTTP itself, and of what browsers may do. */
const ofHttp =
  /^(?:access-control-.*|connection|content-encoding|content-length|content-type|date|keep-alive|transfer-encoding|x-content-type-options)$/;

/** By caller, the document that it gets. */
export class Comparison {
  readonly #document: Json;
  readonly #complete: Ajv2020;
  readonly #partial: Ajv2020;

  constructor(document: Json) {
    this.#document = document;
    this.#complete = validatorOf(document);
    const partial = structuredClone(document);
    for (const [name, schema] of Object.entries<Json>(partial.components.schemas)) {
      if (`/${name}` in document.paths) {
        delete schema.required;
      }
    }
    this.#partial = validatorOf(partial);
  }

  /** What an answer has that the document lacks. Rows of a `select` have the properties that it names alone. */
  problemsOf(method: string, url: string, { status, headers, text }: Reply): string[] {
    const { pathname, searchParams } = new URL(url, 'http://service');
    const at = ['paths', pathname, method.toLowerCase(), 'responses', String(status)];
    const response = this.#find(at);
    if (response === undefined) {
      return [`${status} is not described`];
    }
    const undescribed = [...headers.keys()].filter(
      name =>
        !ofHttp.test(name) && !Object.keys(response.headers).some(known => known.toLowerCase() === name),
    );
    const hasBody = text !== '';
    const type = headers.get('content-type')?.replace(/; (?:charset|for|options)=.*$/, '') ?? '';
    return [
      ...undescribed.map(name => `The header ${name} of ${status} is not described`),
      ...(hasBody ? this.#problemsOfBody(at, response, type, text, searchParams.has('select')) : []),
      ...(hasBody || method === 'HEAD' || !response.content || /is empty/.test(response.description)
        ? []
        : [`${status} has no body`]),
    ];
  }

  #problemsOfBody(at: string[], response: Json, type: string, text: string, isPartial: boolean): string[] {
    const content = response.content?.[type];
    if (content === undefined) {
      return [`${type} is not described`];
    }
    const pointer = [...this.#resolve(at), 'content', type, 'schema'].map(
      step => `/${encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))}`,
    );
    const ajv = isPartial ? this.#partial : this.#complete;
    const validate = ajv.compile({ $ref: `document:#${pointer.join('')}` });
    return validate(type.includes('json') ? JSON.parse(text) : text) ? [] : [ajv.errorsText(validate.errors)];
  }

  /** The path to a part of the document: another one, if a reference is there. */
  #resolve(at: string[]): string[] {
    const part = at.reduce((parent, name) => parent?.[name], this.#document);
    return part?.$ref === undefined ? at : part.$ref.slice(2).split('/');
  }

  #find(at: string[]): Json {
    return this.#resolve(at).reduce((parent, name) => parent?.[name], this.#document);
  }
}

function validatorOf(document: Json): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats(ajv);
  return ajv.addSchema(document, 'document:');
}
