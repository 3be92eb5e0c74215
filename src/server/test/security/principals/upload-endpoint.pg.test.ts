import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { CreateMultipartUploadCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AdminTestPortal } from '#server/machines/test/administration.ts';
import { formatAmzDate, sha256, signNaively } from '#server/s3/test/naive-signer.ts';
import { openStoredObjects } from '#server/telemetry/objects.store.ts';
import type { KeyPair } from '#server/writers/keys.store.ts';

/**
 * Permissions at the upload endpoint: requests x every kind of caller. The requested objects are in the folder of `its-logger`.
 * `old-key`: the former key of `its-logger`, replaced by a key that has been used. `released`: a logger whose binding ended. `deleted`: a
 * logger whose machine was deleted.
 * `cookie` and `admin-cookie` are signed in to the portal and sign no request.
 */
const TABLE = `
                        nobody cookie admin-cookie its-logger other-logger unknown-key wrong-secret old-key released deleted
PUT {object}              403    403       403         200         403         403          403        403      403     403
PUT {new object}          403    403       403         200         403         403          403        403      403     403
GET {object}              403    403       403         403         403         403          403        403      403     403
GET {object}?acl          403    403       403         200         403         403          403        403      403     403
HEAD {object}             403    403       403         200         403         403          403        403      403     403
DELETE {object}           403    403       403         403         403         403          403        403      403     403
POST {new object}?uploads                   403 403 403 200 403 403 403 403 403 403
PUT {object}?partNumber=1&uploadId={upload} 403 403 403 200 403 403 403 403 403 403
GET {object}?uploadId={upload}              403 403 403 200 403 403 403 403 403 403
POST {object}?uploadId={upload}             403 403 403 400 403 403 403 403 403 403
DELETE {object}?uploadId={upload}           403 403 403 204 403 403 403 403 403 403
GET {bucket}?list-type=2  403    403       403         200         200         403          403        403      403     403
GET {bucket}?acl          403    403       403         200         200         403          403        403      403     403
HEAD {bucket}             403    403       403         200         200         403          403        403      403     403
PUT {bucket}              403    403       403         409         409         403          403        403      403     403
POST {bucket}?delete      403    403       403         403         403         403          403        403      403     403
`;
const [head = '', ...lines] = TABLE.split('\n').filter((line) => line.trim() !== '');
const people = head.trim().split(/\s+/);
const rows = lines.map((line) => {
  const [, name = '', statuses = ''] = /^(.*?)\s+((?:\d{3}\s*)+)$/.exec(line) ?? [];
  return [name, statuses.trim().split(/\s+/).map(Number)] as const;
});

const SECRET = 'kanarie-geheim';
let a: AdminTestPortal;
let folder: string;
/** Id of a multipart upload of its-logger. */
let upload: string;
const keys = new Map<string, KeyPair>();
const cookies = new Map<string, string>();
beforeAll(async () => {
  a = await AdminTestPortal.open();
  // `other-logger` is bound before `its-logger` uploads. Otherwise a refusal could merely mean that the object is older than the binding
  // of `other-logger`.
  const other = await a.portal.organization('ander');
  const stream = await a.portal.machine(other, { serial: 'ANDER-1' });
  const theirs = await a.portal.logger(stream, '7200200');
  await a.fleet.put(theirs, 'eigen.json', 'van de ander');
  keys.set('other-logger', theirs);
  const its = await a.fleet.newLogger();
  folder = `WS_SN${its.loggerSerial}`;
  await a.fleet.put(its, 'oud.json', SECRET);
  cookies.set('cookie', a.fleet.cookie).set('admin-cookie', a.admin);
  const newKey = async (serial: string) => {
    await a.call('POST /api/machine/writer/key', { body: { serial } });
    return a.loggerOf(serial);
  };
  keys.set('old-key', its).set('its-logger', await newKey(its.serialNumber));
  const now = await a.loggerOf(its.serialNumber);
  await a.fleet.put(now, 'nieuw.json', SECRET);
  const begin = new CreateMultipartUploadCommand({ Bucket: 'telemetry', Key: `${folder}/oud.json` });
  upload = (await a.fleet.clientOf(now).send(begin)).UploadId ?? '';
  keys.set('unknown-key', { accessKey: 'WSONBEKEND', secret: 'x' });
  keys.set('wrong-secret', { accessKey: (keys.get('its-logger') as KeyPair).accessKey, secret: 'x' });
  const released = await a.fleet.newLogger();
  const deleted = await a.fleet.newLogger();
  keys.set('released', released).set('deleted', deleted);
  // Both keys are used right before their bindings end, so that they are cached.
  await a.fleet.put(released, 'snapshot.json', '{}');
  await a.fleet.put(deleted, 'snapshot.json', '{}');
  await a.call('POST /api/machine/writer/release', { body: { serial: released.serialNumber } });
  await a.call('DELETE /api/machine/delete', { query: { machine_serial: deleted.serialNumber } });
  const asked = Date.now();
  while ((await a.fleet.putStatus(deleted, 'x.json', '{}')) !== 403 && Date.now() - asked < 5_000);
});
afterAll(() => a.close());

/**
 * Sends a raw HTTP request, because the upload endpoint answers requests before the HTTP framework gets them, so `inject` cannot reach it.
 * @param object the name of the file that the request is about
 */
async function send(
  name: string,
  person: string,
  object = 'oud.json',
): Promise<{ status: number; text: string }> {
  const [method = '', what = ''] = name.split(/ (.*)/);
  const target = what
    .replace('{object}', `/telemetry/${folder}/${object}`)
    .replace('{new object}', `/telemetry/${folder}/${person}.json`)
    .replace('{upload}', upload)
    .replace('{bucket}', '/telemetry');
  const [path = '', search] = target.split('?');
  const query = search && (search.includes('=') ? search : `${search}=`);
  const body = method === 'PUT' || method === 'POST' ? '{}' : undefined;
  const key = keys.get(person);
  const cookie = cookies.get(person);
  const headers = key
    ? signNaively({
        method,
        path,
        ...(query !== undefined && { query }),
        headers: { host: new URL(a.portal.address).host },
        payloadHash: sha256(body ?? ''),
        accessKey: key.accessKey,
        secret: key.secret,
        timestamp: formatAmzDate(a.fleet.clock),
      }).headers
    : { ...(cookie !== undefined && { cookie }) };
  const answer = await fetch(a.portal.address + path + (query ? `?${query}` : ''), {
    method,
    headers,
    ...(body !== undefined && { body }),
  });
  return { status: answer.status, text: `${JSON.stringify([...answer.headers])}${await answer.text()}` };
}
const stored = async () =>
  (
    await a.portal.pool.query(
      `select (select md5(string_agg(o::text, '' order by id)) from object o) as objects,
         (select md5(string_agg(u::text, '' order by id)) from multipart_upload u) as uploads,
         (select md5(string_agg(p::text, '' order by id)) from upload_part p) as parts`,
    )
  ).rows;

test.each(rows)(
  'each key and person gets the listed answer at the upload endpoint: %s (API-02, INGEST-01)',
  async (name, expected) => {
    const before = await stored();
    const refused = people.filter((_, n) => (expected[n] as number) >= 400);
    for (const person of [...refused, ...people.filter((one) => !refused.includes(one))]) {
      const { status, text } = await send(name, person);
      expect([person, status]).toEqual([person, expected[people.indexOf(person)]]);
      if (person === refused.at(-1) && status === 403) expect(await stored()).toEqual(before);
      if (person === 'its-logger') continue;
      // An error repeats the requested name and nothing more.
      expect(text).not.toContain(SECRET);
      expect(text).not.toContain('nieuw.json');
      if (name.includes('object') && status === 403 && !name.startsWith('HEAD')) {
        const absent = await send(name, person, 'nooit.json');
        expect([person, absent.status, codeOf(absent.text)]).toEqual([person, status, codeOf(text)]);
      }
    }
  },
);

const codeOf = (text: string): string | undefined => /<Code>(\w+)<\/Code>/.exec(text)?.[1];

test('HEAD and LIST show a logger its own objects only (API-02, INGEST-01)', async () => {
  const objects = openStoredObjects(a.portal.pool);
  const key = `${folder}/nieuw.json`;
  const its = folder.slice(-7);
  const credentialOf = (loggerSerial: string) => ({ ...(keys.get('other-logger') as KeyPair), loggerSerial });
  expect(await objects.head(credentialOf(its), key)).toMatchObject({ key });
  expect(await objects.head(credentialOf('7200200'), key)).toBeUndefined();
  const page = { prefix: '', startAfter: '', limit: 10 };
  expect((await objects.list(credentialOf('7200200'), page)).map((object) => object.key)).toEqual([
    'WS_SN7200200/eigen.json',
  ]);
});

test('an upload is refused and stores nothing when its key is withdrawn during the upload (12.B6, API-02, INGEST-01)', async () => {
  const logger = await a.fleet.newLogger();
  const key = `WS_SN${logger.loggerSerial}/snapshot.json`;
  const path = `/telemetry/${key}`;
  const { headers } = signNaively({
    method: 'PUT',
    path,
    headers: { host: new URL(a.portal.address).host },
    payloadHash: sha256('{}'),
    accessKey: logger.accessKey,
    secret: logger.secret,
    timestamp: formatAmzDate(a.fleet.clock),
  });
  const upload = request(a.portal.address + path, {
    method: 'PUT',
    headers: { ...headers, 'content-length': 2, expect: '100-continue' },
  });
  const answered = once(upload, 'response') as Promise<[IncomingMessage]>;
  // The upload endpoint asks for the body (100 Continue), because the key is still valid.
  await once(upload, 'continue');
  upload.write('{');
  await a.call('POST /api/machine/writer/release', { body: { serial: logger.serialNumber } });
  // The upload endpoint learns of the withdrawn key a moment later, and accepts complete uploads until then.
  await expect.poll(() => a.fleet.putStatus(logger, 'x.json', '{}'), { timeout: 10_000 }).toBe(403);
  upload.end('}');
  const [answer] = await answered;
  answer.resume();
  expect(answer.statusCode).toBe(403);
  const { rowCount } = await a.portal.pool.query('select from object where key = $1', [key]);
  expect(rowCount).toBe(0);
});
