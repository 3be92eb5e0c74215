import { testPortal } from '#server/test/portal.ts';
import { startMailServer } from './mail-server.ts';
import { parseMail } from './mailbox.ts';

export type MailedPortal = Awaited<ReturnType<typeof openMailedPortal>>;

/** Opens a portal that sends its mails to a mail server of the test; `post` sends a request to `/api/` + `path`. */
export async function openMailedPortal() {
  const server = await startMailServer();
  const portal = await testPortal({
    SMTP_URL: `smtp://127.0.0.1:${server.port}`,
    PUBLIC_URL: 'http://portaal.example.nl',
  });
  return {
    portal,
    mailsTo: (to: string) =>
      server.delivered
        .filter((mail) => mail.to[0]?.toLowerCase() === to.toLowerCase())
        .map(({ source }) => parseMail(source)),
    async post(path: string, payload: object, cookie?: string) {
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
