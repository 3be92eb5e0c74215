import { expect, test } from 'vitest';
import { outageLog } from './outage-log.ts';

const refusedConnection = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
const s3Error = (name: string, httpStatusCode: number) =>
  Object.assign(new Error(name), { name, $metadata: { httpStatusCode } });

function log() {
  const lines: string[] = [];
  const clock = { ms: 0 };
  return {
    lines,
    clock,
    outages: outageLog(
      (line) => lines.push(line),
      () => clock.ms,
    ),
  };
}

test('an outage with any number of failures is logged with one line at its start and one at its end', () => {
  const { lines, clock, outages } = log();
  for (let i = 0; i < 5; i++)
    for (const serial of ['0000001', '0000002']) outages.failed(serial, refusedConnection);
  outages.failed('0000001', s3Error('SlowDown', 503));
  clock.ms = 42_000;
  outages.delivered('0000001');
  outages.delivered('0000001');
  expect(lines).toHaveLength(1);
  outages.delivered('0000002');
  expect(lines).toEqual([
    'The portal does not answer (ECONNREFUSED); the loggers keep their files and try again.',
    'The portal answers again after 42 s.',
  ]);
});

test('the refusal of a logger’s uploads is logged once, separately from outages', () => {
  const { lines, outages } = log();
  outages.failed('0012345', s3Error('InvalidAccessKeyId', 403));
  outages.failed('0012345', s3Error('InvalidAccessKeyId', 403));
  outages.failed('0000002', refusedConnection);
  outages.delivered('0000002');
  outages.delivered('0012345');
  expect(lines).toEqual([
    'Logger 0012345 is refused: InvalidAccessKeyId; it keeps trying.',
    'The portal does not answer (ECONNREFUSED); the loggers keep their files and try again.',
    'The portal answers again after 0 s.',
    'Logger 0012345 is accepted again.',
  ]);
});

test.each([429, 408, 500, 503])('an upload failing with %d is an outage, not a refusal', (status) => {
  const { lines, outages } = log();
  outages.failed('0000001', s3Error('SlowDown', status));
  expect(lines[0]).toMatch(/^The portal does not answer/);
});
