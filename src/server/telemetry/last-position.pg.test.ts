import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestFleet } from './test/fleet.ts';

let fleet: TestFleet;
beforeAll(async () => {
  fleet = await TestFleet.open();
});
afterAll(() => fleet.close());

test.each([
  ['0, 0', { LATITUDE: 0, LONGITUDE: 0 }],
  ['no place on earth', { LATITUDE: 91, LONGITUDE: 181 }],
])('a machine whose receiver lost its fix (%s) stays on the map (LIVE-06)', async (_, lost) => {
  const logger = await fleet.newLogger();
  const now = Math.floor(fleet.clock / 1000);
  await fleet.put(
    logger,
    'snapshot.json',
    JSON.stringify({ GMT_UNIX: now - 10, LATITUDE: 52.1, LONGITUDE: 5.1, Soc1: 80 }),
  );
  await fleet.put(
    logger,
    'snapshot.json',
    JSON.stringify({ GMT_UNIX: 0, RTC_UNIX: now - 5, ...lost, Soc1: 79 }),
  );
  expect((await fleet.live(logger.serialNumber))?.liveData).toMatchObject({
    GMT_UNIX: now - 5,
    LATITUDE: 52.1,
    LONGITUDE: 5.1,
    POSITION_UNIX: now - 10,
    Soc1: 79,
  });
});
