import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export type DeliveredMail = {
  readonly from: string;
  readonly to: readonly string[];
  readonly source: string;
};

/** An SMTP server for tests. */
export type MailServer = {
  readonly port: number;
  readonly delivered: readonly DeliveredMail[];
  close(): Promise<void>;
};

export type MailServerBehaviour = {
  /** Returns an SMTP code to refuse a recipient with; undefined: accepted. */
  refuse?(to: string): number | undefined;
  /** Called when the n-th mail, from 1, has arrived; the server answers after it resolves. */
  taken?(n: number): Promise<void> | undefined;
};

export async function startMailServer(
  port = 0,
  { refuse, taken }: MailServerBehaviour = {},
): Promise<MailServer> {
  const delivered: DeliveredMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    onAuth: ({ username = '' }, _session, done) => done(null, { user: username }),
    disabledCommands: ['STARTTLS'],
    onRcptTo({ address }, _session, done) {
      const code = refuse?.(address);
      if (code === undefined) return done();
      done(Object.assign(new Error(`No such user here: <${address}>`), { responseCode: code }));
    },
    onData(stream, session, done) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', async () => {
        const { mailFrom, rcptTo } = session.envelope;
        delivered.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          source: Buffer.concat(parts).toString(),
        });
        await taken?.(delivered.length);
        done();
      });
    },
  });
  server.on('error', () => {}); // ignores a client that disconnects during a mail
  server.listen(port, '127.0.0.1');
  await new Promise((listening) => server.server.once('listening', listening));
  return {
    port: (server.server.address() as AddressInfo).port,
    delivered,
    close: () => new Promise((closed) => server.close(() => closed())),
  };
}
