import { buffer } from 'node:stream/consumers';
import type {
  Credential,
  Delivery,
  MultipartUpload,
  MultipartUploads,
  RefusedRequest,
  StoredObject,
  StoredPart,
  UploadBackend,
} from '#server/s3/upload-backend.ts';

/** An in-memory backend of the upload endpoint, which records what tests check. */
export type MemoryBackend = UploadBackend & {
  readonly deliveries: Delivery[];
  /** Bodies in the order of the deliveries; a spooled body is read before its file is removed. */
  readonly bodies: Buffer[];
  readonly refusals: RefusedRequest[];
  readonly problems: unknown[];
  /** Runs before each delivery is stored; may throw or wait. */
  beforeDelivery: (delivery: Delivery) => void | Promise<void>;
};

export const LOGGER_CREDENTIAL: Credential = {
  accessKey: 'WERKSTROOM0000001',
  secret: 'a secret/of+logger=1',
  loggerSerial: '0000001',
};
export const OTHER_LOGGER: Credential = {
  accessKey: 'WERKSTROOM0000002',
  secret: 'the secret of logger 2',
  loggerSerial: '0000002',
};

/** Keeps multipart uploads in memory. An upload belongs to an access key and an object key; the endpoint requires no more of a backend. */
function memoryUploads(now: () => number): MultipartUploads {
  type Open = MultipartUpload & { readonly owner: string; readonly parts: Map<number, StoredPart> };
  const uploads = new Map<string, Open>();
  const ownerOf = ({ accessKey }: Credential, key: string): string => `${accessKey} ${key}`;
  return {
    async begin(credential, key, about) {
      const id = `upload-${uploads.size}`;
      const owner = ownerOf(credential, key);
      uploads.set(id, { id, ...about, etag: undefined, owner, parts: new Map() });
      return id;
    },
    async find(credential, key, id) {
      const upload = uploads.get(id);
      return upload?.owner === ownerOf(credential, key) ? upload : undefined;
    },
    parts: async ({ id }, { after, limit }) =>
      [...(uploads.get(id)?.parts.values() ?? [])]
        .filter(({ number }) => number > after)
        .sort((a, b) => a.number - b.number)
        .slice(0, limit),
    async store(_credential, { id }, part, body) {
      const content = await buffer(body.read());
      const read = async function* () {
        yield content;
      };
      const upload = uploads.get(id);
      upload?.parts.set(part.number, { ...part, lastModified: now(), read });
      return upload?.etag === undefined;
    },
    async complete({ id }, etag) {
      const upload = uploads.get(id);
      if (upload) uploads.set(id, { ...upload, etag, parts: new Map() });
    },
    abort: async ({ id }) => void uploads.delete(id),
  };
}

export function memoryBackend(now: () => number = Date.now): MemoryBackend {
  const stored = new Map<string, StoredObject>();
  const byKey = new Map(
    [LOGGER_CREDENTIAL, OTHER_LOGGER].map((credential) => [credential.accessKey, credential]),
  );
  const ownKeys = (serial: string): StoredObject[] =>
    [...stored]
      .filter(([name]) => name.startsWith(`${serial} `))
      .map(([, object]) => object)
      .sort((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)));
  const backend: MemoryBackend = {
    bucket: 'telemetry',
    now,
    deliveries: [],
    bodies: [],
    refusals: [],
    problems: [],
    beforeDelivery: () => {},
    credentials: (accessKey) => byKey.get(accessKey),
    admitLog: async () => {},
    async deliver(delivery) {
      await backend.beforeDelivery(delivery);
      const { body, key, size, etag, contentType, metadata, credential } = delivery;
      const content = Buffer.isBuffer(body) ? body : await buffer(body.read());
      backend.deliveries.push(delivery);
      backend.bodies.push(content);
      const object = { key, size, etag, contentType, metadata, lastModified: now() };
      stored.set(`${credential.loggerSerial} ${key}`, object);
    },
    multipart: memoryUploads(now),
    objects: {
      head: async ({ loggerSerial }, key) => stored.get(`${loggerSerial} ${key}`),
      list: async ({ loggerSerial }, { prefix, startAfter, limit }) =>
        ownKeys(loggerSerial)
          .filter(({ key }) => key.startsWith(prefix))
          .filter(({ key }) => Buffer.compare(Buffer.from(key), Buffer.from(startAfter)) > 0)
          .slice(0, limit),
    },
    refused: (refusal) => void backend.refusals.push(refusal),
    log: {
      warn: (fields) => void backend.problems.push(fields),
      error: (fields) => void backend.problems.push(fields),
    },
  };
  return backend;
}
