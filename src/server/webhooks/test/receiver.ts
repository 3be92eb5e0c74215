import { createServer, type IncomingHttpHeaders } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { CERTIFICATE, CERTIFICATE_KEY } from '#server/platform/test/certificates.ts';

export type Received = {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};

/** Somebody's own program on loopback that webhooks are sent to. */
export type Receiver = {
  readonly port: number;
  readonly received: Received[];
  /** Of these, those of a path. */
  at(path: string): Received[];
  /** What it answers, by path; undefined: nothing, ever. Default: 200. */
  answers: Readonly<Record<string, number | undefined>>;
  /** Requests that wait for their answer, by path. */
  waiting(path: string): number;
  close(): Promise<void>;
};

/** @param isSecure https, for inlog.example.nl and localhost */
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
