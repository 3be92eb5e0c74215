import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export type Delivered = { readonly from: string; readonly to: readonly string[]; readonly source: string };

/** A real SMTP server of this test. `answers`: what it does with a recipient or a whole mail. */
export type MailServer = {
  readonly port: number;
  readonly delivered: readonly Delivered[];
  close(): Promise<void>;
};

export type Behaviour = {
  /** An SMTP code to refuse this recipient with. */
  refuse?(to: string): number | undefined;
  /** The n-th mail, from 1, is there whole; it is answered when this resolves. */
  taken?(n: number): Promise<void> | undefined;
};

export async function startMailServer(port = 0, { refuse, taken }: Behaviour = {}): Promise<MailServer> {
  const delivered: Delivered[] = [];
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
  server.on('error', () => {}); // a client that goes away in the middle
  server.listen(port, '127.0.0.1');
  await new Promise((listening) => server.server.once('listening', listening));
  return {
    port: (server.server.address() as AddressInfo).port,
    delivered,
    close: () => new Promise((closed) => server.close(() => closed())),
  };
}
