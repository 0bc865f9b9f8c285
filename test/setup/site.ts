/** A page of another origin that only loads supabase-js with a script tag. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';

export async function startSite() {
  const entry = createRequire(import.meta.url).resolve('@supabase/supabase-js');
  const library = await readFile(entry.replace(/dist\/.*$/, 'dist/umd/supabase.js'));
  const server: Server = createServer(({ url }, response) => {
    const [type, body] =
      url === '/supabase.js'
        ? ['text/javascript', library]
        : ['text/html', '<!doctype html><link rel="icon" href="data:,"><script src="/supabase.js"></script>'];
    response.writeHead(200, { 'content-type': type }).end(body);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    stop: () => void server.close(),
  };
}
