import { expect, test } from 'vitest';
import { networkOf } from './rate-limit.ts';

test.each([
  ['IPv4', '192.0.2.7', '192.0.2.7'],
  ['IPv4 as IPv6', '::FFFF:192.0.2.7', '192.0.2.7'],
  ['IPv6', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['another of the same network', '2001:DB8:1:2::9', '2001:db8:1:2::/64'],
  ['zeros in the network', '2001:db8::1', '2001:db8:0:0::/64'],
  ['leading zeros', '2001:0db8:0001:0002::', '2001:db8:1:2::/64'],
  ['itself', '::1', '0:0:0:0::/64'],
  ['a zone', 'fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['no address', 'unknown', 'unknown'],
])('AUTH-11 what counts as one address: %s', (_, ip, network) => {
  expect(networkOf(ip)).toBe(network);
});
