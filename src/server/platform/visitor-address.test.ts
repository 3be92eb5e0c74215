import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { networkOf } from './rate-limit.ts';
import { cameOverHttps, visitorAddress } from './visitor-address.ts';

test.each([true, false])('12.B3 an address is the one that Fastify counts by, TRUST_PROXY %s', async (on) => {
  const app = Fastify({ trustProxy: on && ((_address, hop) => hop === 0) });
  app.get('/', async (request) => [visitorAddress(request.raw, on), networkOf(request.ip)]);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/`;
  const told = ['', ' ', ',', '192.0.2.1', '192.0.2.1, 203.0.113.9', '192.0.2.1 ,203.0.113.9 ,', 'a,,::1'];
  for (const forwarded of told) {
    const answer = await fetch(url, { headers: { 'x-forwarded-for': forwarded } });
    const [ours, theirs] = (await answer.json()) as string[];
    expect([forwarded, ours]).toEqual([forwarded, theirs]);
  }
  await app.close();
});

test.each([true, false])('12.B6 https is what Fastify takes for it, TRUST_PROXY %s', async (on) => {
  const app = Fastify({ trustProxy: on && ((_address, hop) => hop === 0) });
  app.get('/', async (request) => [cameOverHttps(request.raw, on), request.protocol === 'https']);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/`;
  const said: unknown[] = [];
  for (const forwarded of ['', 'http', 'https', 'http, https', 'https, http', 'https ', 'HTTPS', 'wss']) {
    const answer = await fetch(url, { headers: { 'x-forwarded-proto': forwarded } });
    const [ours, theirs] = (await answer.json()) as boolean[];
    expect([forwarded, ours]).toEqual([forwarded, theirs]);
    said.push(ours);
  }
  expect(said.filter(Boolean)).toHaveLength(on ? 3 : 0);
  const untold = (await (await fetch(url)).json()) as boolean[];
  expect(untold).toEqual([false, false]);
  await app.close();
});
