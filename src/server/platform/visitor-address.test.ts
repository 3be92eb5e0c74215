import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { cameOverHttps, networkOf, visitorAddress, visitorIpOf } from './visitor-address.ts';

test.each([
  ['IPv4', '192.0.2.7', '192.0.2.7', '192.0.2.7'],
  ['IPv4 with a port', '192.0.2.7:49152', '192.0.2.7', '192.0.2.7'],
  ['IPv4 as IPv6', '::FFFF:192.0.2.7', '192.0.2.7', '192.0.2.7'],
  ['the same in hexadecimal', '::ffff:c000:207', '192.0.2.7', '192.0.2.7'],
  ['the same in full', '0:0:0:0:0:ffff:c000:0207', '192.0.2.7', '192.0.2.7'],
  ['the same with a port', '[::ffff:192.0.2.7]:49152', '192.0.2.7', '192.0.2.7'],
  ['IPv4 by way of a network of IPv6', '64:ff9b::192.0.2.7', '192.0.2.7', '192.0.2.7'],
  ['IPv6', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['another of the same network', '2001:DB8:1:2::9', '2001:db8:1:2::9', '2001:db8:1:2::/64'],
  ['IPv6 in brackets', '[2001:db8:1:2::9]', '2001:db8:1:2::9', '2001:db8:1:2::/64'],
  ['IPv6 with a port', '[2001:db8:1:2::9]:443', '2001:db8:1:2::9', '2001:db8:1:2::/64'],
  ['zeros in the network', '2001:db8::1', '2001:db8::1', '2001:db8:0:0::/64'],
  ['leading zeros', '2001:0db8:0001:0002::', '2001:0db8:0001:0002::', '2001:db8:1:2::/64'],
  ['itself', '::1', '::1', '0:0:0:0::/64'],
  ['itself with a port', '[::1]:80', '::1', '0:0:0:0::/64'],
  ['a zone', 'fe80::1%eth0', 'fe80::1', 'fe80:0:0:0::/64'],
  ['a zone and a port', '[fe80::1%eth0]:80', 'fe80::1', 'fe80:0:0:0::/64'],
  ['no address', 'unknown', 'unknown', 'unknown'],
  ['a text of a visitor', "x' or 1=1 --", 'unknown', 'unknown'],
  ['a port that is none', '192.0.2.7:http', 'unknown', 'unknown'],
  ['nothing', '', 'unknown', 'unknown'],
])('the address and its network are found in: %s (AUTH-11, 13.7e)', (_, reported, address, network) => {
  expect([visitorIpOf(reported), networkOf(reported)]).toEqual([address, network]);
});

test.each([true, false])(
  'the visitor’s address is the one that Fastify determines, with TRUST_PROXY %s (12.B3, 13.7e)',
  async (on) => {
    const app = Fastify({ trustProxy: on && ((_address, hop) => hop === 0) });
    app.get('/', async (request) => [visitorAddress(request.raw, on), networkOf(request.ip)]);
    await app.listen({ host: '127.0.0.1', port: 0 });
    const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/`;
    const headers = [
      '',
      ' ',
      ',',
      '192.0.2.1',
      '192.0.2.1, 203.0.113.9',
      '192.0.2.1 ,203.0.113.9 ,',
      'a,,::1',
    ];
    headers.push(
      '192.0.2.1:80',
      'x, 192.0.2.1:4711',
      '[::1]:80',
      'fe80::1%eth0',
      '::ffff:c000:207',
      '[2001:db8::7]:1',
    );
    const counted = new Set<string>();
    for (const forwarded of headers) {
      const answer = await fetch(url, { headers: { 'x-forwarded-for': forwarded } });
      const [ours, theirs] = (await answer.json()) as string[];
      expect([forwarded, ours]).toEqual([forwarded, theirs]);
      counted.add(ours as string);
    }
    // The port that a proxy or socket reports is not part of the address.
    const own = '127.0.0.1';
    const proxied = [
      '192.0.2.1',
      '203.0.113.9',
      '0:0:0:0::/64',
      'fe80:0:0:0::/64',
      '192.0.2.7',
      '2001:db8:0:0::/64',
    ];
    expect([...counted].sort()).toEqual(on ? [own, ...proxied].sort() : [own]);
    await app.close();
  },
);

test.each([true, false])('cameOverHttps agrees with Fastify, with TRUST_PROXY %s (12.B6)', async (on) => {
  const app = Fastify({ trustProxy: on && ((_address, hop) => hop === 0) });
  app.get('/', async (request) => [cameOverHttps(request.raw, on), request.protocol === 'https']);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/`;
  const differences: unknown[] = [];
  for (const forwarded of ['', 'http', 'https', 'http, https', 'https, http', 'https ', 'HTTPS', 'wss']) {
    const answer = await fetch(url, { headers: { 'x-forwarded-proto': forwarded } });
    const [ours, theirs] = (await answer.json()) as boolean[];
    expect([forwarded, ours]).toEqual([forwarded, theirs]);
    differences.push(ours);
  }
  expect(differences.filter(Boolean)).toHaveLength(on ? 3 : 0);
  const untold = (await (await fetch(url)).json()) as boolean[];
  expect(untold).toEqual([false, false]);
  await app.close();
});
