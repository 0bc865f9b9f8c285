/** Checks what /health of a running deployment says of each part. */
import { Problem } from '../../local/program.ts';

interface Health {
  status: string;
  mail?: string;
  /** Webhooks whose receivers fail, which is not the deployment's fault. */
  failing?: number;
}

/** Returns the parts of /health. Throws a Problem without a good response. */
export async function readHealth(url: string, timeout: number): Promise<Health> {
  const failed = (what: string) => new Problem(`✗ the database replies\n  GET /health\n  received  ${what}`);
  let response: Response;
  let text: string;
  try {
    response = await fetch(`${url}/health`, { redirect: 'manual', signal: AbortSignal.timeout(timeout) });
    text = await response.text();
  } catch (error) {
    const { message, cause } = error as Error;
    throw failed(`no response: ${(cause as Error | undefined)?.message || message}`);
  }
  if (response.status !== 200 || !text.startsWith('{"status":"ok"')) {
    throw failed(`${response.status} ${text.slice(0, 500)}`);
  }
  return JSON.parse(text);
}

/** Prints a line. Throws a Problem when a part is late. */
export async function tryHealth(url: string, timeout: number): Promise<void> {
  const { status, failing = 0, ...parts } = await readHealth(url, timeout);
  const late = Object.entries(parts).flatMap(([part, state]) => (state === 'late' ? [part] : []));
  if (late.length > 0) {
    throw new Problem(
      `✗ nothing is late\n  GET /health\n  late      ${late.join(', ')}: see the runbook in functions/operate/README.md`,
    );
  }
  const states = Object.entries(parts).map(([part, state]) => `${part} ${state}`);
  console.log(`✓ the database replies, and nothing is late: ${states.join(', ')}`);
  if (failing > 0) {
    console.log(`– receivers of webhooks that fail: ${failing}. npm run webhook -- list names them`);
  }
}
