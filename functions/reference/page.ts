/** The reference page: Swagger UI over the OpenAPI document of the caller whose key and token are entered. */

/** The initial values of the page's fields. */
export interface Credentials {
  apikey: string;
  token: string;
}

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`);

const field = (name: keyof Credentials, label: string, value: string): string =>
  `<label><span>${label}</span><input name="${name}" value="${escapeHtml(value)}" autocomplete="off" spellcheck="false"></label>`;

export const renderPage = ({ apikey, token }: Credentials): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Uniform Builder Data Service</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/reference/swagger-ui.css">
<link rel="stylesheet" href="/reference/page.css">
<script src="/reference/swagger-ui-bundle.js" defer></script>
<script src="/reference/page.js" defer></script>
<form id="credentials">
${field('apikey', 'Publishable key', apikey)}
${field('token', 'Access token <small>(of a signed-in user, optional)</small>', token)}
<button>Show what I may do</button>
<output></output>
</form>
<main id="reference"></main>
<footer>Made with Swagger UI: <a href="/reference/NOTICE">notice</a>, <a href="/reference/LICENSE">licence</a>,
<a href="/reference/swagger-ui-bundle.js.LICENSE.txt">licences of its parts</a></footer>
</html>
`;

export const pageStyle = `body { margin: 0; font-family: system-ui, sans-serif }
#credentials { display: flex; flex-wrap: wrap; gap: 1rem; align-items: end; padding: 1rem 20px; max-width: 1420px; margin: auto; box-sizing: border-box }
#credentials label { display: grid; gap: .25rem; flex: 1 1 20rem; font-size: .85rem }
#credentials small { font-weight: normal; opacity: .7 }
#credentials input { font: .85rem/1.5 ui-monospace, monospace; padding: .4rem .5rem; border: 1px solid #888; border-radius: 4px }
#credentials button { font: inherit; padding: .5rem 1rem; border: 0; border-radius: 4px; background: #1b4f8f; color: #fff; cursor: pointer }
#credentials output { flex: 1 0 100%; color: #b00020 }
footer { padding: 1rem 20px; max-width: 1420px; margin: auto; box-sizing: border-box; font-size: .75rem; opacity: .7 }
#credentials output:empty, #reference .scheme-container { display: none }
`;

/**
 * The page's script. It loads the document with the credentials that were entered, and passes them to Swagger UI for
 * the requests that the reader tries.
 */
export const pageScript = `const form = document.getElementById('credentials');
const problem = form.querySelector('output');

async function show() {
  const apikey = form.elements.apikey.value.trim();
  const token = form.elements.token.value.trim();
  if (!apikey) return;
  problem.textContent = '';
  try {
    const headers = token ? { apikey, authorization: 'Bearer ' + token } : { apikey };
    const response = await fetch('/rest/v1/', { headers });
    const body = await response.json();
    if (!response.ok) throw new Error(body.message);
    render(body, apikey, token);
  } catch (error) {
    problem.textContent = error.message;
  }
}

function render(spec, apikey, token) {
  const ui = SwaggerUIBundle({
    spec: { ...spec, servers: [{ url: location.origin + '/rest/v1' }] },
    dom_id: '#reference',
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    tryItOutEnabled: true,
    validatorUrl: null,
    onComplete() {
      ui.preauthorizeApiKey('apikey', apikey);
      if (token) ui.preauthorizeApiKey('bearer', token);
    },
  });
}

form.addEventListener('submit', event => {
  event.preventDefault();
  show();
});
show();
`;
