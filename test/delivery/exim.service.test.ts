/** Mails from workerd to Debian's Exim (https://www.exim.org/docs.html), over TLS and with a login, into a mailbox. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { describe, expect, inject, it, vi } from 'vitest';
import { loopback, tryPort } from '../../functions/local/port.ts';
import { chooseRunAs } from '../../functions/local/run-as.ts';
import { pathOf } from '../setup/programs.ts';
import { makeTemporaryDirectory } from '../setup/temporary-directory.ts';
import { untilOpen } from '../setup/until-open.ts';
import { use } from '../setup/use.ts';
import { from, messageId, newMail, useMailer } from './mailer.ts';

const login = { user: 'builder', password: 'pass-of-the-relay' };

/** Starts it on a port of this machine, with TLS from the first byte, where it delivers all mails into one mailbox. */
async function startExim() {
  const certificate = inject('certificate');
  const program = pathOf('exim');
  const directory = await makeTemporaryDirectory();
  const path = (name: string) => join(directory.path, name);
  const as = await chooseRunAs(program, directory.path);
  const { uid = process.getuid?.() ?? 0, gid = process.getgid?.() ?? 0 } = as.ids;
  const port = Number(await tryPort(0));
  const configuration = `
exim_user = ${uid}
exim_group = ${gid}
primary_hostname = relay.builder.example
local_interfaces = <; [${loopback}]:${port}
tls_on_connect_ports = ${port}
tls_advertise_hosts = *
tls_certificate = ${path('certificate.pem')}
tls_privatekey = ${path('key.pem')}
auth_advertise_hosts = \${if def:tls_in_cipher {*}}
spool_directory = ${path('spool')}
log_file_path = ${path('%slog')}
pid_file_path = ${path('pid')}
keep_environment =
deliver_drop_privilege = true
host_lookup =
rfc1413_query_timeout = 0s
acl_smtp_rcpt = rcpt
begin acl
rcpt:
  accept authenticated = *
  deny message = relay not permitted
begin routers
all:
  driver = accept
  transport = mailbox
begin transports
mailbox:
  driver = appendfile
  directory = ${path('mailbox')}
  maildir_format
begin authenticators
plain:
  driver = plaintext
  public_name = PLAIN
  server_prompts = :
  server_condition = \${if and {{eq {$auth2}{${login.user}}} {eq {$auth3}{${login.password}}}}}
  server_set_id = $auth2
`;
  await Promise.all([mkdir(path('spool')), mkdir(path('mailbox'))]);
  await writeFile(path('exim.conf'), configuration);
  await copyFile(certificate.path, path('certificate.pem'));
  await copyFile(certificate.key, path('key.pem'));
  await chmod(path('key.pem'), 0o600);
  for (const name of ['.', 'spool', 'mailbox', 'exim.conf', 'certificate.pem', 'key.pem']) {
    await chown(path(name), uid, gid);
  }
  const [command = '', ...args] = [...as.prefix, program, '-C', path('exim.conf'), '-bdf'];
  const running = spawn(command, args, { ...as.options, stdio: 'ignore' });
  await untilOpen(port);
  return {
    port,
    /** The messages in the mailbox, in the order of their arrival. */
    async mailbox(): Promise<string[]> {
      const names = await readdir(path('mailbox/new')).catch(() => []);
      return Promise.all(names.sort().map(name => readFile(path(`mailbox/new/${name}`), 'latin1')));
    },
    async stop(): Promise<void> {
      if (running.exitCode === null && running.signalCode === null) {
        running.kill('SIGTERM');
        await once(running, 'exit');
      }
      await directory.remove();
    },
  };
}

describe('Exim', { tags: ['exim'] }, () => {
  const mailer = useMailer();
  const exim = use(startExim, 'stop');

  it('takes mails, and a mail program reads in them what was written', async () => {
    const mails = [
      newMail(),
      newMail({ body: `Ü ${'x'.repeat(9998)}`, link: null }),
      newMail({ body: 'Quote\r\n.\r\nBcc: x@evil.example\r\n\r\n制服' }),
    ];
    const relay = { port: exim.port, tls: 'implicit', credentials: login } as const;
    expect(await mailer.send(relay, mails)).toEqual(mails.map(() => ({ is: 'sent' })));
    await vi.waitUntil(async () => (await exim.mailbox()).length === mails.length, { timeout: 30_000 });
    const read = await Promise.all((await exim.mailbox()).map(raw => PostalMime.parse(raw)));
    const written = mails.map(mail => {
      const text = [mail.body.replaceAll('\r\n', '\n'), ...(mail.link ? [mail.link] : [])].join('\n\n');
      return { id: messageId(mail), text, to: [mail.to], from: from.address };
    });
    const shown = read.map(({ messageId: id, text = '', to = [], from: sender, bcc }) => {
      expect(bcc).toBeUndefined();
      const addresses = to.map(({ address }) => address);
      return { id, text: text.replaceAll('\r\n', '\n').trim(), to: addresses, from: sender?.address };
    });
    expect(shown).toEqual(expect.arrayContaining(written));
  });
});
