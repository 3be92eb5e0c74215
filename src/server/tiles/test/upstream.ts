import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A real tile service on its own port, for tests. It answers each request with the current value of `answer`. */
export type TestUpstream = {
  readonly urlTemplate: string;
  /** Paths that have been requested. */
  readonly asked: string[];
  answer: (request: IncomingMessage, response: ServerResponse) => void;
  readonly close: () => Promise<void>;
};

/** First bytes of a PNG; enough for a cache, which does not decode it. */
export const PNG_BYTES = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

export function sendPng(response: ServerResponse, headers: Record<string, string> = {}): void {
  response.writeHead(200, { 'content-type': 'image/png', ...headers }).end(PNG_BYTES);
}

export async function startTestUpstream(): Promise<TestUpstream> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    upstream.answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const upstream: TestUpstream = {
    urlTemplate: `http://127.0.0.1:${port}/{z}/{x}/{y}.png`,
    asked,
    answer: (_, response) => sendPng(response),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return upstream;
}
