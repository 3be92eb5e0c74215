/** Runs the reverse proxies of the manual (docs/reverse-proxy.md) in front of a portal, if nginx or Caddy is installed. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request as askHttp } from 'node:http';
import { request as askHttps } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatAmzDate, sha256, signNaively } from '#server/s3/test/naive-signer.ts';
import { type FleetLogger, TestFleet } from './telemetry/test/fleet.ts';
import { OPERATIONS_MANUAL_TEXT } from './test/manual.ts';
import { findFreePort } from './test/running-portal.ts';

const NAME = 'portaal.example.nl';
const isInstalled = (program: string): boolean => spawnSync('which', [program]).status === 0;
/** Returns the manual's code blocks in a language, in order. */
const blocks = (language: string): string[] =>
  [...OPERATIONS_MANUAL_TEXT.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(
    ([, text = '']) => text,
  );

type Ports = { readonly https: number; readonly http: number; readonly portal: number };
type Place = Ports & { readonly folder: string };

/**
 * Returns the nginx configuration of the manual, with the ports, the folder and the certificate of the test.
 * @param change a function that puts a mistake into the file
 */
function nginxFile({ https, http, portal, folder }: Place, change: (text: string) => string): string {
  const [whole = '', plainUploads = ''] = blocks('nginx');
  const own = change(whole)
    .replace(/^.*\[::\].*\n/gm, '')
    .replaceAll('listen 443', `listen 127.0.0.1:${https}`)
    .replaceAll('listen 80', `listen 127.0.0.1:${http}`)
    .replaceAll('127.0.0.1:3000', `127.0.0.1:${portal}`)
    .replaceAll(/\/etc\/letsencrypt\/live\/[^/]+/g, folder)
    .replace(/(listen 127\.0\.0\.1:\d+;\n {2}server_name [^\n]*\n)/, `$1${plainUploads}`);
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join(' ');
  return `daemon off; pid ${folder}/pid; error_log stderr warn; events {} http { access_log off; ${paths}\n${own}\n}`;
}

function caddyFile({ https, http, portal, folder }: Place, change: (text: string) => string): string {
  const tls = `tls ${folder}/fullchain.pem ${folder}/privkey.pem`;
  const own = change(blocks('caddy').join('\n'))
    .replace(`http://${NAME} {`, `http://${NAME}:${http} {`)
    .replace(new RegExp(`^${NAME} {`, 'm'), `${NAME}:${https} {\n\t${tls}`)
    .replaceAll('127.0.0.1:3000', `127.0.0.1:${portal}`);
  return `{\n\tadmin off\n\tauto_https disable_redirects\n\tstorage file_system ${folder}/caddy\n}\n${own}`;
}

const PROXIES = [
  {
    program: 'nginx',
    fileOf: nginxFile,
    check: (file: string) => ['-t', '-c', file],
    run: (file: string) => ['-c', file],
    withoutHost: (text: string) => text.replace(/^.*proxy_set_header Host .*\n/gm, ''),
    innerHost: 'werkstroom',
  },
  {
    program: 'caddy',
    fileOf: caddyFile,
    check: (file: string) => ['validate', '--adapter', 'caddyfile', '--config', file],
    run: (file: string) => ['run', '--adapter', 'caddyfile', '--config', file],
    withoutHost: (text: string) =>
      text.replaceAll('127.0.0.1:3000 {', '127.0.0.1:3000 {\n\t\theader_up Host binnen'),
    innerHost: 'binnen',
  },
];

describe.each(PROXIES)('$program as the manual sets it', (proxy) => {
  const { program } = proxy;
  if (!isInstalled(program)) {
    test.skip(`${program} is not installed: its configuration in the manual is not tried (55.35)`, () => {});
    return;
  }
  let folder: string;
  let ports: Ports;
  let fleet: TestFleet;
  let logger: FleetLogger;
  let running: ChildProcess | undefined;
  let said = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'werkstroom-proxy-'));
    const [https, http] = [await findFreePort(), await findFreePort()];
    const made = spawnSync('openssl', [
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', `/CN=${NAME}`],
      ...['-addext', `subjectAltName=DNS:${NAME}`],
      ...['-keyout', join(folder, 'privkey.pem'), '-out', join(folder, 'fullchain.pem')],
    ]);
    expect(String(made.stderr) && made.status).toBe(0);
    fleet = await TestFleet.open({ PUBLIC_URL: `https://${NAME}`, TRUST_PROXY: 'on' });
    ports = { https, http, portal: Number(new URL(fleet.portal.address).port) };
    logger = await fleet.newLogger();
    await fleet.portal.user('beheer@portaal.nl', await fleet.portal.organization('admin'));
  });
  afterAll(async () => {
    await stop();
    await fleet.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function stop(): Promise<void> {
    const child = running;
    running = undefined;
    if (!child || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGTERM');
    await ended;
  }

  /** Checks the manual's configuration by the check command of nginx or Caddy, and starts the proxy with this configuration. */
  async function start(change: (text: string) => string = (text) => text): Promise<void> {
    await stop();
    const file = join(folder, 'proxy.conf');
    await writeFile(file, proxy.fileOf({ ...ports, folder }, change));
    const env = { ...process.env, HOME: folder };
    const checked = spawnSync(program, proxy.check(file), { env });
    expect([checked.status, String(checked.stderr)]).toEqual([0, expect.anything()]);
    said = '';
    running = spawn(program, proxy.run(file), { env, stdio: ['ignore', 'ignore', 'pipe'] });
    running.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    await expect
      .poll(
        () =>
          ask('GET', '/api/health').then(
            ({ status }) => status,
            () => said,
          ),
        { timeout: 30_000 },
      )
      .toBe(200);
  }

  type Answer = { readonly status: number; readonly location: string | undefined; readonly body: string };
  type Options = { isHttp?: boolean; headers?: Record<string, string>; body?: Buffer };

  /** Sends a request to the proxy's port in the test. The Host header names no port, as if the proxy listened on the standard ports. */
  function ask(
    method: string,
    path: string,
    { isHttp = false, headers = {}, body }: Options = {},
  ): Promise<Answer> {
    const options = {
      host: '127.0.0.1',
      port: isHttp ? ports.http : ports.https,
      method,
      path,
      headers: { host: NAME, ...(body && { 'content-length': body.length }), ...headers },
      servername: NAME,
      rejectUnauthorized: false,
      agent: false as const,
    };
    return new Promise((resolve, reject) => {
      const asked = (isHttp ? askHttp : askHttps)(options, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (piece: string) => {
          text += piece;
        });
        answer
          .once('error', reject)
          .once('end', () =>
            resolve({ status: answer.statusCode ?? 0, location: answer.headers.location, body: text }),
          );
      });
      asked.once('error', reject).end(body);
    });
  }

  async function put(
    file: string,
    body: Buffer,
    { isHttp = false, payloadHash = sha256(body) } = {},
  ): Promise<[number, string]> {
    const path = `/telemetry/WS_SN${logger.loggerSerial}/${file}`;
    const { headers } = signNaively({
      method: 'PUT',
      path,
      headers: { host: NAME },
      payloadHash,
      accessKey: logger.accessKey,
      secret: logger.secret,
      timestamp: formatAmzDate(fleet.clock),
    });
    const answer = await ask('PUT', path, { isHttp, headers, body });
    return [answer.status, /<Code>(\w+)/.exec(answer.body)?.[1] ?? ''];
  }
  const snapshot = () => {
    fleet.clock += 1_000;
    return Buffer.from(JSON.stringify({ GMT_UNIX: Math.floor(fleet.clock / 1000), Soc1: 50 }));
  };
  const UNSIGNED = { payloadHash: 'UNSIGNED-PAYLOAD' };
  const TAKEN = [200, ''];

  test('the proxy passes on uploads over https, also large ones and keys with escapes, and blocks /metrics (55.35)', async () => {
    await start();
    expect((await ask('GET', '/metrics')).status).toBe(404);
    expect(await put('snapshot.json', snapshot())).toEqual(TAKEN);
    // An unsigned payload is accepted only if the proxy reports that it came over https.
    expect(await put('snapshot.json', snapshot(), UNSIGNED)).toEqual(TAKEN);
    expect(await put('a%20b%2Bc%28d%29.json', snapshot())).toEqual(TAKEN);
    const log = Buffer.alloc(40 * 1024 * 1024, '(1780308000.000000) can0 123#00\n');
    expect(await put('WS_20260601_100000.log', log)).toEqual(TAKEN);
  });

  test('the proxy redirects people from http to https, and accepts signed uploads over http (55.35)', async () => {
    await start();
    const { status, location } = await ask('GET', '/overzicht?x=1', { isHttp: true });
    expect([status, location]).toEqual([301, `https://${NAME}/overzicht?x=1`]);
    expect(await put('snapshot.json', snapshot(), { isHttp: true })).toEqual(TAKEN);
    expect(await put('snapshot.json', snapshot(), { isHttp: true, ...UNSIGNED })).toEqual([
      400,
      'InvalidRequest',
    ]);
  });

  test('when the proxy does not pass Host on, every logger upload fails, and administrators see the Host that arrived (55.34)', async () => {
    await start(proxy.withoutHost);
    expect(await put('snapshot.json', snapshot())).toEqual([403, 'SignatureDoesNotMatch']);
    const cookie = await fleet.portal.login('beheer@portaal.nl');
    await expect
      .poll(async () => {
        await fleet.portal.portal.counters.flush();
        return (await fleet.portal.get('/api/portal/tasks', cookie)).json().host;
      })
      .toEqual({ received: proxy.innerHost, expected: NAME });
    await start();
    expect(await put('snapshot.json', snapshot())).toEqual(TAKEN);
    await fleet.portal.portal.counters.flush();
    expect((await fleet.portal.get('/api/portal/tasks', cookie)).json().host).toBe(null);
  });
});
