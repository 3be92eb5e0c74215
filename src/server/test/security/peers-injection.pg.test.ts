import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chargingEmail } from '#server/alerts/charging-email.ts';
import { readXml, type XmlElement } from '#server/logger-config/xml.ts';
import { AdminTestPortal, BATTERY_DBC } from '#server/machines/test/administration.ts';
import { escapeHtml } from '#server/platform/html.ts';
import { countAllStoredReadings } from '#server/telemetry/test/stored-rows.ts';
import { type Api, api } from '#shared/contract/api.ts';
import type { Endpoint } from '#shared/contract/endpoint.ts';

/** Tests for injection vulnerabilities that comparable products had: a text that another program runs as code (docs/security.md). */
let a: AdminTestPortal;
beforeAll(async () => {
  a = await AdminTestPortal.open();
  await a.machine('I-1');
  await a.upload('I-1', BATTERY_DBC);
});
afterAll(() => a.close());

const EVIL = [
  '<img src=x onerror=alert(1)>',
  '"><svg/onload=alert(1)>',
  "'-alert(1)-'",
  '{{7*7}}',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the text is a template injection
  '${7*7}',
  '<%= 7*7 %>#{7*7}',
  "=cmd|' /C calc'!A0",
  ']]><APN>x</APN>&amp;&x;',
  "' or 1=1 --",
];
const changes = Object.entries<Endpoint>(api).filter(([, { changes }]) => changes);

/** Returns the names of all elements in document order. */
const namesOf = ({ name, children }: XmlElement): string[] => [name, ...children.flatMap(namesOf)];

test('peers: injection into a generated configuration (CVE-2026-9568): config.xml has the same elements whatever the texts (MEDIT-11)', async () => {
  async function configWith(text: string): Promise<XmlElement> {
    const body = {
      serial: 'I-1',
      kind: 'wifi',
      apn: text,
      wifiSsid: text.slice(0, 32),
      wifiPassword: `${text}        `,
    };
    expect((await a.call('POST /api/machine/writer/network', { body })).status).toBe(200);
    await a.edit('I-1', { brand: text, model: text });
    const made = await a.call('GET /api/machine/config/create', { query: { serienummer: 'I-1' } });
    expect([text, made.status]).toEqual([text, 200]);
    return readXml(
      (await a.call('GET /api/machine/config/download', { query: { serienummer: 'I-1' } })).text,
    );
  }
  const plain = namesOf(await configWith('gewoon'));
  expect(plain.length).toBeGreaterThan(50);
  for (const text of EVIL) expect([text, namesOf(await configWith(text))]).toEqual([text, plain]);
  // XML cannot contain control characters: they are refused or removed, never written.
  const body = { serial: 'I-1', kind: 'mobile', apn: 'a\u0001b\u001b' };
  await a.call('POST /api/machine/writer/network', { body });
  await a.call('GET /api/machine/config/create', { query: { serienummer: 'I-1' } });
  const { text } = await a.call('GET /api/machine/config/download', { query: { serienummer: 'I-1' } });
  expect(namesOf(readXml(text)).length).toBeGreaterThan(50);
});

test('peers: injection into queries (Flux and SQL: serial `" or 1`, window `1s) |> drop`, start `now()-100y`): refused or unknown, and nothing is dropped (API-03)', async () => {
  const tables = async () => [
    await countAllStoredReadings(a.portal.pool),
    await a.portal.pool
      .query(
        `select (select count(*) from stream) as streams, (select count(*) from account) as accounts, (select count(*) from pg_tables) as tables`,
      )
      .then(({ rows }) => rows),
  ];
  const before = await tables();
  for (const text of [
    '" or 1',
    "' or 1=1 --",
    "'; drop table reading; --",
    '1s) |> drop()',
    'I-1" |> yield()',
    '%',
    '_-_',
    'I-1\\',
  ]) {
    const serial = encodeURIComponent(text);
    for (const [key, query, status] of [
      [`GET /api/influx/driverhours/${serial}`, {}, 404],
      [`GET /api/influx/gps/${serial}`, {}, 404],
      ['GET /api/machine/get/serial', { serialNumber: text }, 404],
      ['GET /api/machine/get', { merk: text }, 404],
      ['DELETE /api/machine/delete', { machine_serial: text }, 404],
      ['GET /api/influx/workpower/I-1', { window: text }, 400],
      ['GET /api/influx/workpower/I-1', { start: text }, 400],
      ['GET /api/influx/powerback/I-1', { start: 'now()-100y' }, 400],
    ] as const)
      expect([key, text, (await a.call(key, { query: query as Record<string, string> })).status]).toEqual([
        key,
        text,
        status,
      ]);
  }
  expect(await tables()).toEqual(before);
});

test('peers: stored XSS and templates in mails (CVE-2026-39842, CVE-2022-31860, CVE-2018-1000881, traccar edba441a6): a machine’s name stays text (MAIL-02)', () => {
  const letterOf = (text: string) =>
    chargingEmail(
      {
        to: 'a@klant.nl',
        machine: { serial: 'I-1', alias: text, brand: text, model: text, batteries: [] },
        event: { kind: 'ended', from: 0, knownAt: 0, signals: {} },
        sentAt: 0,
      },
      'https://portaal.nl',
      'https://portaal.nl/u',
    );
  const tagsOf = (html = '') => html.match(/<[^>]*>/g);
  const plain = letterOf('gewoon');
  expect(tagsOf(plain.html)?.length).toBeGreaterThan(10);
  for (const text of EVIL) {
    const letter = letterOf(text);
    expect([letter.subject.includes(text), letter.text.includes(text)]).toEqual([true, true]);
    expect([text, tagsOf(letter.html)]).toEqual([text, tagsOf(plain.html)]);
    // All characters of the name are present, so no template engine has evaluated it.
    expect(letter.html).toContain(`<p>${escapeHtml(`${text} (${text} ${text}, #I-1)`)} `);
  }
});

test('peers: stored XSS by names in the browser’s popups and charts (CVE-2025-62172, CVE-2026-91130): names are JSON without sniffing, under a policy without inline scripts (API-02)', async () => {
  await a.edit('I-1', { brand: EVIL[0] as string, model: EVIL[1] as string });
  for (const [key, query] of [
    ['GET /api/live', undefined],
    ['GET /api/machine/get/all', undefined],
    ['GET /api/machine/get/serial', { serialNumber: 'I-1' }],
  ] as const) {
    const { headers, text } = await a.call(key, query ? { query } : {});
    expect(text).toContain('onerror');
    expect(headers['content-type']).toMatch(/^application\/json/);
    expect(headers['x-content-type-options']).toBe('nosniff');
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'self'");
    expect(policy).not.toMatch(/script-src|unsafe-eval|default-src[^;]*unsafe-inline/);
    for (const part of [
      "object-src 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "form-action 'self'",
    ])
      expect(policy).toContain(part);
  }
});

test('peers: CSV and formula injection (traccar c37f4f380): no call answers with CSV or another file type that is not listed here; writers.test.ts and csv.test.ts test exported tables (API-01)', () => {
  const media = Object.values<Api[keyof Api]>(api).flatMap(
    (endpoint: Endpoint) => endpoint.media ?? 'application/json',
  );
  // Before adding a media type here, check what a spreadsheet program or browser can be made to do with such a file.
  expect([...new Set(media)].sort()).toEqual([
    'application/gpx+xml',
    'application/json',
    'application/octet-stream', // a logger's file, always an attachment: src/server/log-files/upload-log.pg.test.ts
    'application/pdf',
    'application/vnd.apache.parquet', // numbers and names in columns, always an attachment; programs import it without formulas
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', // src/server/reports/writers.test.ts
    'application/xml',
    'image/webp',
    'text/csv', // the log's and reports': src/server/platform/csv.test.ts
    'text/html',
    'text/plain',
  ]);
});

test('peers: CSRF, and sockets of other origins (traccar 329e73315, 82a601376): every call that changes something is refused from another site, signed in or not (API-04)', async () => {
  const before = await a.audited();
  expect(changes.filter(([key]) => key.startsWith('GET ')).length).toBeGreaterThan(5);
  for (const [key] of changes) {
    const [method, path] = key.split(' ') as ['GET' | 'POST' | 'DELETE', string];
    const url = path.replace(/:(\w+)/g, 'x');
    for (const from of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate' },
      { origin: 'https://evil.example' },
      { referer: 'https://evil.example/' },
    ]) {
      const answer = await a.portal.app.inject({ method, url, headers: { cookie: a.admin, ...from } });
      expect([key, from, answer.statusCode]).toEqual([key, from, 403]);
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    }
  }
  expect(await a.audited()).toEqual(before);
  // The portal has no WebSockets: a request to upgrade gets an ordinary answer, which another origin may not read.
  const socket = await upgraded(a.portal.address, { cookie: a.admin, origin: 'https://evil.example' });
  expect(socket).toEqual({ status: 200, switched: false, readable: false });
});

/** Sends a request to upgrade to a WebSocket. */
function upgraded(address: string, headers: Record<string, string>) {
  return new Promise<{ status: number; switched: boolean; readable: boolean }>((resolve, reject) => {
    const asked = request(`${address}/api/live`, {
      headers: {
        ...headers,
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      },
    });
    asked.on('upgrade', () => resolve({ status: 101, switched: true, readable: true }));
    asked.on('response', (answer) => {
      answer.resume();
      const readable = answer.headers['access-control-allow-origin'] !== undefined;
      resolve({ status: answer.statusCode ?? 0, switched: false, readable });
    });
    asked.on('error', reject).end();
  });
}
