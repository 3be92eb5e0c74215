import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, get as httpGet } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FilesPortal, filesPortal } from '#server/machine-files/test/files-portal.ts';
import { dataUrl, pdf, testPicture } from '#server/machine-files/test/images.ts';
import { notFound, registerErrorHandler } from '#server/platform/problem.ts';
import { webRoutes } from '#server/web.routes.ts';

/** Tests for vulnerabilities that comparable products had in uploading and serving files (docs/security.md). */
let portal: FilesPortal;
beforeAll(async () => {
  portal = await filesPortal();
  await portal.machine(portal.own, { serial: 'P-1' });
});
afterAll(() => portal.close());

const filesOnDisk = async () => (await readdir(portal.portal.config.DATA_DIR, { recursive: true })).sort();
const stored = async () => (await portal.pool.query('select from machine_file')).rowCount;

const PATHS = [
  '../../x',
  '/etc/x',
  'C:\\x',
  '..%5cx',
  '..\\x',
  'a%00.png',
  'P-1/../P-1',
  '.',
  '..',
  'x'.repeat(200),
  'a\r\nb',
  'x.html',
];

test('peers: upload path traversal (CVE-2023-50729, CVE-2024-24809, CVE-2024-31214, CVE-2026-23521): no serial number and no name becomes a path (API-03, MEDIT-08, MEDIT-09)', async () => {
  const before = await filesOnDisk();
  const photo = dataUrl(await testPicture(9, 9).png().toBuffer());
  for (const serial of PATHS) {
    for (const [url, file] of [
      ['/api/img/upload', photo],
      ['/api/manual/upload', dataUrl(pdf())],
    ] as const) {
      const answer = await portal.post(url, { name: serial, serial, file });
      expect([serial, answer.statusCode]).toEqual([serial, serial.includes('\r') ? 400 : 404]);
    }
  }
  expect(await stored()).toBe(0);
  for (const name of PATHS) {
    const { url } = (await portal.manualTo('P-1', pdf(), name)).json();
    expect(url).toMatch(/^\/api\/manual\/P-1\/[0-9a-f]{64}$/);
    const served = await portal.get(url, portal.userCookie);
    expect(served.headers['content-disposition']).toMatch(/^inline; filename="[^"/\\\r\n]+\.pdf"/);
  }
  expect(await filesOnDisk()).toEqual(before);
});

test('peers: upload without the right to edit (CVE-2026-44314): a person who may only see a machine cannot change it (API-02)', async () => {
  await portal.photoTo('P-1');
  const { rows: before } = await portal.pool.query('select kind, hash from machine_file order by kind');
  const file = dataUrl(await testPicture(7, 7).png().toBuffer());
  for (const [url, payload] of [
    ['/api/img/upload', { name: 'x', serial: 'P-1', file }],
    ['/api/img/delete', { serial: 'P-1' }],
    ['/api/manual/upload', { name: 'x', serial: 'P-1', file: dataUrl(pdf('Ander')) }],
    ['/api/manual/delete', { serial: 'P-1' }],
  ] as const) {
    const headers = { cookie: portal.userCookie };
    expect((await portal.get('/api/img/P-1', portal.userCookie)).statusCode).toBe(200);
    const answer = await portal.app.inject({ method: 'POST', url, payload, headers });
    expect([url, answer.statusCode]).toEqual([url, 403]);
  }
  expect((await portal.pool.query('select kind, hash from machine_file order by kind')).rows).toEqual(before);
});

test('peers: files read by their path (CVE-2025-61666 with ..%5c, CVE-2021-43798): the portal serves no file outside the folder of the built front end (API-02, API-03)', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'werkstroom-pages-'));
  const secret = randomBytes(16).toString('hex');
  await mkdir(join(folder, 'web', 'assets'), { recursive: true });
  await writeFile(join(folder, 'web', 'index.html'), '<!doctype html><title>Werkstroom</title>');
  await writeFile(join(folder, 'web', 'assets', 'a.js'), 'export {};');
  await writeFile(join(folder, 'secret.txt'), secret);
  await writeFile(join(folder, 'web', '.env'), secret);
  const app = Fastify();
  registerErrorHandler(app);
  app.setNotFoundHandler(() => {
    throw notFound();
  });
  await webRoutes(app, join(folder, 'web'));
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  // `fetch` would normalize the dots before it sends the request.
  const ask = (path: string): Promise<[number, string]> =>
    new Promise((resolve, reject) => {
      httpGet({ host: '127.0.0.1', port, path, agent: false }, async (answer) => {
        let body = '';
        for await (const piece of answer) body += piece;
        resolve([answer.statusCode ?? 0, body]);
      }).on('error', reject);
    });
  expect((await ask('/assets/a.js'))[1]).toBe('export {};');
  const dots = ['..', '%2e%2e', '%2E.', '..%5c..', '..\\..', '....', '%252e%252e', '..%00', '..;'];
  const slashes = ['/', '%2f', '%5c', '\\', '%255c', '//'];
  for (const up of dots) {
    for (const slash of slashes) {
      for (const start of ['/', '/assets/', '/assets/a.js/', '/public/plugins/x/']) {
        const [status, body] = await ask(`${start}${up}${slash}${up}${slash}secret.txt`);
        expect([status, body.includes(secret)]).toEqual([status, false]);
        expect(status).toBeLessThan(500);
      }
    }
  }
  for (const path of ['/.env', '/assets/../.env', `${folder}/secret.txt`, '/%2eenv'])
    expect((await ask(path))[1]).not.toContain(secret);
  await app.close();
  await rm(folder, { recursive: true });
});

test('peers: SVG as a photo (CVE-2025-34282 asks other servers, CVE-2022-23552 runs scripts): refused, nothing is fetched (API-03, MEDIT-08)', async () => {
  let asked = 0;
  const other = createServer((_request, answer) => {
    asked += 1;
    answer.end();
  }).listen(0, '127.0.0.1');
  await new Promise((listening) => other.once('listening', listening));
  const host = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  const before = await stored();
  for (const inside of [
    '<script>alert(1)</script>',
    `<image href="${host}/a.png" width="9" height="9"/>`,
    `<image xlink:href="${host}/a.png" xmlns:xlink="http://www.w3.org/1999/xlink"/>`,
    `<foreignObject><img xmlns="http://www.w3.org/1999/xhtml" src="${host}/"/></foreignObject>`,
    `<style>@import url("${host}/a.css");</style>`,
    `<use href="${host}/a.svg#x"/>`,
  ]) {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${inside}</svg>`;
    for (const text of [svg, `<?xml version="1.0"?><!DOCTYPE svg SYSTEM "${host}/x.dtd">${svg}`]) {
      for (const type of ['image/svg+xml', 'image/png', 'text/html']) {
        const file = dataUrl(Buffer.from(text), type);
        const answer = await portal.post('/api/img/upload', { name: 'x.png', serial: 'P-1', file });
        expect([inside, answer.statusCode]).toEqual([inside, 400]);
      }
    }
  }
  expect([asked, await stored()]).toEqual([0, before]);
  other.close();
});

test('peers: uploaded files are served with a Content-Security-Policy of their own and nosniff, and never as a page (API-03, MEDIT-08, MEDIT-09)', async () => {
  const photo = (await portal.photoTo('P-1')).json().url;
  const manual = (await portal.manualTo('P-1', pdf('<script>alert(1)</script>'), 'a.html')).json().url;
  for (const [url, type] of [
    [photo, 'image/webp'],
    [manual, 'application/pdf'],
  ] as const) {
    const { headers } = await portal.get(url, portal.userCookie);
    expect(headers['content-type']).toBe(type);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['content-security-policy']).toMatch(/^default-src 'none';/);
  }
});
