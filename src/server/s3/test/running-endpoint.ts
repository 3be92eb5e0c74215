import { mkdtemp, readdir, readlink, rm } from 'node:fs/promises';
import { createServer, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatAmzDate, type SignedRequest, sha256, signNaively } from '#server/s3/test/naive-signer.ts';
import { openUploadEndpoint } from '#server/s3/upload-endpoint.ts';
import type { UploadLimits } from '#server/s3/upload-limits.ts';
import { LOGGER_CREDENTIAL, type MemoryBackend, memoryBackend } from './memory-backend.ts';

export type EndpointAnswer = { status: number; headers: IncomingHttpHeaders; body: string };

export type RunningEndpoint = {
  readonly port: number;
  readonly host: string;
  readonly url: string;
  readonly backend: MemoryBackend;
  /** Returns the files in the spool directory, and (on Linux) the unlinked ones that are open. */
  spooled(): Promise<string[]>;
  close(): Promise<void>;
};

type RawRequest = {
  readonly method: string;
  /** Path and query as they are sent. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
};

/** Runs the real handler on a real http server; `https`: as behind a proxy that terminates TLS. */
export async function runUploadEndpoint(
  limits: Partial<UploadLimits> = {},
  backend: MemoryBackend = memoryBackend(),
  { trustProxy = false, https = true } = {},
): Promise<RunningEndpoint> {
  const spoolDirectory = await mkdtemp(join(tmpdir(), 'door-'));
  const kindOf = (fileName: string): 'document' | 'log' => (fileName.endsWith('.json') ? 'document' : 'log');
  const settings = {
    spoolDirectory,
    kindOf,
    cleanerOf: () => undefined,
    limits,
    trustProxy,
    cameOverHttps: () => https,
    publicUrl: 'https://portaal.test',
  };
  const endpoint = await openUploadEndpoint(backend, settings);
  const server = createServer(endpoint.handle);
  server.on('checkContinue', endpoint.handleExpectContinue);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    host: `127.0.0.1:${port}`,
    url: `http://127.0.0.1:${port}`,
    backend,
    spooled: async () => [...(await readdir(spoolDirectory)), ...(await listOpenFilesIn(spoolDirectory))],
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(spoolDirectory, { recursive: true });
    },
  };
}

/** Returns the files that this process has open in a directory, from the system's own list. */
export async function listOpenFilesIn(directory: string): Promise<string[]> {
  const open = await readdir('/proc/self/fd').catch(() => []);
  const targets = await Promise.all(open.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
  return targets.filter((target) => target.startsWith(`${directory}/`));
}

/** Signs a request, by default with logger 1's key. */
export function signRequest(
  endpoint: RunningEndpoint,
  request: RawRequest,
  options: {
    payloadHash?: string;
    credential?: typeof LOGGER_CREDENTIAL;
    now?: number;
    scopeDate?: string;
  } = {},
): SignedRequest {
  const { credential = LOGGER_CREDENTIAL, now = endpoint.backend.now() } = options;
  const [path = '', query = ''] = request.path.split('?');
  return signNaively({
    method: request.method,
    path,
    query,
    headers: { host: endpoint.host, ...request.headers },
    payloadHash: options.payloadHash ?? sha256(request.body ?? ''),
    accessKey: credential.accessKey,
    secret: credential.secret,
    timestamp: formatAmzDate(now),
    ...(options.scopeDate && { scopeDate: options.scopeDate }),
  });
}

/** Sends a request unchanged, headers included, on a connection of its own. */
export function sendRawRequest(endpoint: RunningEndpoint, request: RawRequest): Promise<EndpointAnswer> {
  const { method, path, body } = request;
  const headers: Record<string, string> = { ...request.headers };
  if (body !== undefined && !('content-length' in headers) && !('transfer-encoding' in headers)) {
    headers['content-length'] = String(Buffer.byteLength(body)); // node:http frames the body of some methods only
  }
  return new Promise((resolve, reject) => {
    const options = {
      port: endpoint.port,
      host: '127.0.0.1',
      method,
      path,
      headers,
      agent: false,
    };
    const outgoing = httpRequest(options, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (bytes: Buffer) => chunks.push(bytes));
      incoming.on('end', () => {
        const { statusCode = 0, headers } = incoming;
        resolve({ status: statusCode, headers, body: Buffer.concat(chunks).toString() });
      });
      incoming.on('error', reject);
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** Signs and sends a request. */
export function sendSigned(
  endpoint: RunningEndpoint,
  request: RawRequest,
  options?: Parameters<typeof signRequest>[2],
): Promise<EndpointAnswer> {
  return sendRawRequest(endpoint, { ...request, headers: signRequest(endpoint, request, options).headers });
}

/** Returns the `<Code>` of an answer in XML. */
export const errorCodeOfAnswer = (answer: EndpointAnswer): string | undefined =>
  /<Code>(\w+)<\/Code>/.exec(answer.body)?.[1];

/** Uploads, signed with logger 1's key. Returns `200 delivered`, or status and code. */
export async function upload(
  endpoint: RunningEndpoint,
  path: string,
  body: string | Buffer,
  headers: Record<string, string> = {},
): Promise<string> {
  const answer = await sendSigned(endpoint, { method: 'PUT', path, body, headers });
  return `${answer.status} ${errorCodeOfAnswer(answer) ?? 'delivered'}`;
}
