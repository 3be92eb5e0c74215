import { createServer, type IncomingHttpHeaders } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { CERTIFICATE, CERTIFICATE_KEY } from '#server/platform/test/certificates.ts';

export type Received = {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};

/** A receiver of webhooks on loopback. */
export type Receiver = {
  readonly port: number;
  readonly received: Received[];
  /** Returns the requests to a path. */
  at(path: string): Received[];
  /** Status of the answer by path, 200 by default; undefined: no answer. */
  answers: Readonly<Record<string, number | undefined>>;
  /** Returns how many requests to a path wait for an answer. */
  waiting(path: string): number;
  close(): Promise<void>;
};

/**
 * Starts a receiver.
 * @param isSecure whether it uses https, with a certificate for inlog.example.nl and localhost
 */
export async function startReceiver(isSecure: boolean): Promise<Receiver> {
  const open: string[] = [];
  const server = (
    isSecure ? createSecureServer({ cert: CERTIFICATE, key: CERTIFICATE_KEY }) : createServer()
  ).on('request', async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    const path = request.url ?? '';
    own.received.push({ path, headers: request.headers, body });
    open.push(path);
    response.on('close', () => void open.splice(open.indexOf(path), 1));
    const status = path in own.answers ? own.answers[path] : 200;
    if (status !== undefined) response.writeHead(status).end();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const own: Receiver = {
    port: (server.address() as AddressInfo).port,
    received: [],
    at: (path) => own.received.filter((one) => one.path === path),
    answers: {},
    waiting: (path) => open.filter((one) => one === path).length,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
  return own;
}
