import { expect, test } from 'vitest';
import { openTraffic, RouteMeter } from './traffic.ts';

const valuesOf = (meter: RouteMeter) =>
  Object.fromEntries(
    meter.samples('t').map(({ metricName, labels, value }) => {
      const { method, status, le } = labels as Record<string, string>;
      return [[metricName, method, status, le].filter(Boolean).join(' '), value];
    }),
  );

test('the buckets of the histogram are cumulative, and the last one counts every answer', () => {
  const meter = new RouteMeter('/x');
  for (const ms of [0.1, 1, 1.001, 30, 250, 60_000]) meter.answered('GET', 200, ms);
  meter.answered('GET', 503, 5);
  expect(valuesOf(meter)).toMatchObject({
    't_bucket GET 2xx 0.001': 2,
    't_bucket GET 2xx 0.005': 3,
    't_bucket GET 2xx 0.025': 3,
    't_bucket GET 2xx 0.1': 4,
    't_bucket GET 2xx 0.25': 5,
    't_bucket GET 2xx 10': 5,
    't_bucket GET 2xx +Inf': 6,
    't_count GET 2xx': 6,
    't_sum GET 2xx': expect.closeTo(60.282101, 6),
    't_bucket GET 5xx 0.005': 1,
    't_count GET 5xx': 1,
  });
});

test('unknown HTTP methods are counted under one label', () => {
  const meter = new RouteMeter('/x');
  for (const method of ['PROPFIND', 'MKCOL', 'QUERY', undefined]) meter.answered(method, 404, 1);
  expect(valuesOf(meter)).toMatchObject({ 't_count other 4xx': 4 });
});

test.each([
  ['/api/img/:serial', '/api/img/:serial'],
  ['/tiles/:layer/:z/:x/:y', '/tiles/:layer/:z/:x/:y'],
  ['/metrics', '/metrics'],
  ['/{bucket}/{key}', '/{bucket}/{key}'],
  ['/assets/index-DHb1.js', '/assets/*'],
  ['/favicon.svg', '/*'],
  ['/apiary.html', '/*'],
  ['/*', '/*'],
])('the route %s is counted as %s', (template, route) => {
  const traffic = openTraffic();
  expect(traffic.meterOf(template).route).toBe(route);
  expect(traffic.meterOf(template)).toBe(traffic.meterOf(route));
});
