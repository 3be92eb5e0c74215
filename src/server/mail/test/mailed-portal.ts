import type { LightMyRequestResponse } from 'fastify';
import { type TestPortal, testPortal } from '#server/test/portal.ts';
import { startMailServer } from './mail-server.ts';
import { parseMail } from './mailbox.ts';

type Mailed = ReturnType<typeof parseMail>;

/** A portal whose mails go to a server of the test's. */
export type MailedPortal = {
  readonly portal: TestPortal;
  /** Those that have come, in any spelling of the address. */
  mailsTo(to: string): Mailed[];
  /** `path` without `/api/`. */
  post(
    path: string,
    payload: object,
    cookie?: string,
  ): Promise<{ status: number; body: ReturnType<LightMyRequestResponse['json']> }>;
  close(): Promise<void>;
};

export async function openMailedPortal(): Promise<MailedPortal> {
  const server = await startMailServer();
  const portal = await testPortal({
    SMTP_URL: `smtp://127.0.0.1:${server.port}`,
    PUBLIC_URL: 'http://portaal.example.nl',
  });
  return {
    portal,
    mailsTo: (to) =>
      server.delivered
        .filter((mail) => mail.to[0]?.toLowerCase() === to.toLowerCase())
        .map(({ source }) => parseMail(source)),
    async post(path, payload, cookie) {
      const answer = await portal.app.inject({
        method: 'POST',
        url: `/api/${path}`,
        payload,
        headers: { 'x-requested-with': 'test', ...(cookie && { cookie }) },
      });
      return { status: answer.statusCode, body: answer.json() };
    },
    async close() {
      await portal.close();
      await server.close();
    },
  };
}
