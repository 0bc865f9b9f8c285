/** The reference page: Swagger UI with the OpenAPI document for the key and the token that are entered. */
import { escapeHtml } from '../common/text.ts';
import { tryHtml, tryScript, tryStyle } from './try-requests.ts';

/** The files of the package swagger-ui-dist that the page needs, with the licences that must accompany them, and their types. */
export const swaggerFiles: Record<string, string> = {
  'swagger-ui.css': 'text/css',
  'swagger-ui-bundle.js': 'text/javascript',
  'swagger-ui-bundle.js.LICENSE.txt': 'text/plain',
  LICENSE: 'text/plain',
  NOTICE: 'text/plain',
};

/** The initial values of the page's fields. */
export interface Credentials {
  apikey: string;
  token: string;
}

export interface PageContent extends Credentials {
  /** Whether there is a page at `/demo`. `missing`: a developer may look for it. */
  demo: 'served' | 'missing' | 'none';
}

const field = (name: keyof Credentials, label: string, value: string): string =>
  `<label><span>${label}</span><input name="${name}" value="${escapeHtml(value)}" autocomplete="off" spellcheck="false"></label>`;

/** What a developer does to see the demo. */
const howToSeeDemo =
  'The demo needs its own rows, which are only in the Postgres that <code>npm start</code> brings: run <code>npm start</code> ' +
  'without <code>DATABASE_URL</code> and open <code>/demo</code> there.';

const demoNotes: Record<PageContent['demo'], string> = {
  served: '<nav><a href="/demo">The builder, a demo</a></nav>',
  missing: `<small>${howToSeeDemo}</small>`,
  none: '',
};

const headOf = (title: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Uniform Builder</title>
<link rel="icon" href="/reference/favicon.svg" type="image/svg+xml">`;

/** The page in place of the demo. */
export const renderMissingDemo = (): string => `${headOf('No demo here')}
<link rel="stylesheet" href="/reference/page.css">
<main>
<h1>There is no demo here</h1>
<p>${howToSeeDemo}</p>
<p><a href="/">The API reference</a> works with this database.</p>
</main>
</html>
`;

export const renderPage = ({ apikey, token, demo }: PageContent): string => `${headOf('API reference')}
<link rel="stylesheet" href="/reference/swagger-ui.css">
<link rel="stylesheet" href="/reference/page.css">
<script src="/reference/swagger-ui-bundle.js" defer></script>
<script src="/reference/page.js" defer></script>
<header>
<h1>Uniform Builder <small>API reference</small></h1>
${demoNotes[demo]}
<form id="credentials">
${field('apikey', 'Publishable key', apikey)}
${field('token', 'Access token <small>(of a signed-in user, optional)</small>', token)}
<button>Show what I may do</button>
<output></output>
</form>
</header>
${tryHtml}
<main id="reference"></main>
<footer>Made with Swagger UI: <a href="/reference/NOTICE">notice</a>, <a href="/reference/LICENSE">licence</a>,
<a href="/reference/swagger-ui-bundle.js.LICENSE.txt">licences of its parts</a></footer>
</html>
`;

/** A jersey. */
export const favicon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#3256d6"/>' +
  '<path fill="#fff" d="M12 6.5q4 3.4 8 0l6.5 3.4-2.3 6-3-1V26H10.8V14.9l-3 1-2.3-6z"/></svg>';

/** Swagger UI is dark where `<html>` has the class `dark-mode`. */
export const pageStyle = `:root { color-scheme: light dark; --ink: #1d2530; --quiet: #5c6878; --page: #fff; --accent: #1b4f8f; --on-accent: #fff; --bad: #b00020 }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e6e6; --quiet: #a4b0bf; --page: #1c2022; --accent: #93bef3; --on-accent: #10141a; --bad: #ff9aa5 }
}
body { margin: 0; font-family: system-ui, sans-serif; color: var(--ink); background: var(--page) }
header, footer, body > main:not([id]) { box-sizing: border-box; max-width: 1420px; margin: auto; padding: 1rem 20px }
header { display: flex; flex-wrap: wrap; gap: 1rem; align-items: baseline; justify-content: space-between }
h1 { margin: 0; font-size: 1.15rem }
a { color: var(--accent) }
#credentials { display: flex; flex: 1 0 100%; flex-wrap: wrap; gap: 1rem; align-items: end }
#credentials label { display: grid; gap: .25rem; flex: 1 1 min(20rem, 100%); font-size: .85rem }
#credentials small, footer { color: var(--quiet) }
#credentials small { font-weight: normal }
#credentials input { font: .85rem/1.5 ui-monospace, monospace; padding: .4rem .5rem; border: 1px solid #888; border-radius: 4px }
#credentials button { font: inherit; padding: .5rem 1rem; border: 0; border-radius: 4px; background: var(--accent); color: var(--on-accent); cursor: pointer }
#credentials output { flex: 1 0 100%; color: var(--bad) }
footer, header > small { font-size: .75rem }
/* The document has no links, and their empty column makes the table too wide for a phone. */
#credentials output:empty, #reference .response-col_links { display: none }
/* GET has a parameter for each column, so its button and its response would be pages below. */
#reference .execute-wrapper, #reference .opblock-body > .btn-group { position: sticky; top: 0; bottom: 0; z-index: 1; padding: 10px 20px; background: var(--page) }
#reference .responses-wrapper { scroll-margin-top: 4rem }
/* Swagger UI's two columns are too wide for a small phone. */
@media (max-width: 400px) {
  #reference :is(.parameters, .responses-table) thead { display: none }
  #reference :is(.parameters, .responses-table) td { display: block; width: auto; max-width: none }
}
#reference h2 { margin: 0; font-size: 1rem; color: var(--quiet) }
/* Swagger UI leaves these dark in dark mode. */
.dark-mode #reference .header-col { color: var(--ink) }
${tryStyle}`;

/**
 * The page's script. It loads the document with the credentials that were entered, and passes them to Swagger UI for
 * the requests that the reader tries.
 */
export const pageScript = `const form = document.getElementById('credentials');
const problem = form.querySelector('output');
const reference = document.getElementById('reference');
const dark = matchMedia('(prefers-color-scheme: dark)');
/** The operation that was executed last. */
let executed;
/** Sets the body of an operation. */
let fill = () => {};

async function show() {
  const apikey = form.elements.apikey.value.trim();
  const token = form.elements.token.value.trim();
  if (!apikey) return;
  problem.textContent = '';
  try {
    const headers = token ? { apikey, authorization: 'Bearer ' + token } : { apikey };
    const response = await fetch('/rest/v1/openapi.json', { headers });
    const body = await response.json();
    if (!response.ok) throw new Error(body.message);
    render(body, apikey, token);
  } catch (error) {
    // Don't leave the previous caller's operations on the page.
    reference.replaceChildren();
    problem.textContent = error.message;
  }
}

/** Removes what is for importers: the parameters' defaults, the key, which has a field of its own, and the licence. */
function withEmptyFields(spec) {
  for (const parameter of Object.values(spec.components.parameters)) {
    const { anyOf, default: _, ...schema } = parameter.schema;
    parameter.schema = anyOf ? { type: 'string' } : schema;
  }
  for (const operation of Object.values(spec.paths).flatMap(Object.values)) {
    operation.parameters = operation.parameters.filter(({ $ref }) => !$ref.endsWith('/apikey'));
  }
  delete spec.info.license;
  return spec;
}

function render(spec, apikey, token) {
  const domNode = document.createElement('div');
  reference.replaceChildren(domNode);
  const ui = SwaggerUIBundle({
    spec: { ...withEmptyFields(spec), servers: [{ url: location.origin + '/rest/v1' }] },
    domNode,
    plugins: [layout],
    layout: 'Layout',
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    tryItOutEnabled: true,
    validatorUrl: null,
    requestInterceptor(request) {
      executed?.querySelector('.responses-wrapper').scrollIntoView();
      return request;
    },
    onComplete() {
      fill = (pathMethod, value) => ui.oas3Actions.setRequestBodyValue({ pathMethod, value });
      ui.preauthorizeApiKey('apikey', apikey);
      if (token) ui.preauthorizeApiKey('bearer', token);
    },
  });
}

/** The layout of Swagger UI. Its default has a second <main>, and skips h2. */
const layout = ({ React: { createElement }, getComponent }) => ({
  components: {
    Layout: () =>
      createElement(
        'div',
        { className: 'swagger-ui' },
        createElement(getComponent('SvgAssets')),
        ...['errors', 'InfoContainer', 'operations', 'Models'].map(name =>
          createElement(
            'div',
            { className: 'wrapper', key: name },
            name === 'operations' && createElement('h2', null, 'Collections'),
            createElement(getComponent(name, true)),
          ),
        ),
      ),
  },
});

function followColorScheme() {
  document.documentElement.classList.toggle('dark-mode', dark.matches);
}

// Before Swagger UI handles the click, which sends the request.
reference.addEventListener('click', ({ target }) => {
  if (target.closest('.execute')) executed = target.closest('.opblock');
}, { capture: true });
dark.addEventListener('change', followColorScheme);
followColorScheme();
form.addEventListener('submit', event => {
  event.preventDefault();
  show();
});
show();
${tryScript}`;
