import { expect, test } from 'vitest';
import { batteriesOf } from './battery.ts';
import {
  lastKnownFacts,
  NO_NEARBY_SILENCE,
  nearbySilenceOf,
  silenceSentences,
  usualSilenceCause,
} from './silence.ts';

const RECEIVED = Date.parse('2026-11-27T13:05:00Z') / 1000;
const ZWOLLE = { LATITUDE: 52.5168, LONGITUDE: 6.083 };
const known = (values: Record<string, number>, more: object = {}) => {
  const liveData = { GMT_UNIX: RECEIVED, POSITION_UNIX: RECEIVED, ...ZWOLLE, ...values };
  return { values: liveData, batteries: batteriesOf(liveData, []), nearby: NO_NEARBY_SILENCE, ...more };
};
const CHARGING = { IsCharging: 1, ChargingCurrent: 20 };

test('the text about a silent machine says when and where it was last seen, its charge level and whether it charged (53.15)', () => {
  expect(lastKnownFacts(known({ soc: 12, IsCharging: 0, ChargingCurrent: 0 }, { area: 'Sluis' }))).toEqual([
    { word: 'Laatst gehoord', value: '27-11-26, 14:05' },
    { word: 'Plaats', value: 'Sluis, Zwolle' },
    { word: 'Accu', value: '12%' },
    { word: 'Laden', value: 'laadde niet' },
  ]);
});

test('lastKnownFacts calls a missing place, charge level and charging state not known (53.15)', () => {
  const facts = lastKnownFacts(known({ LATITUDE: 0, LONGITUDE: 0 }));
  expect(facts.slice(1).map(({ value }) => value)).toEqual(['niet bekend', 'niet bekend', 'niet bekend']);
});

test('a position that is older than the last reading has its own time (53.15)', () => {
  expect(lastKnownFacts(known({ POSITION_UNIX: RECEIVED - 3600 }))[1]?.value).toBe(
    'Zwolle (positie van 27-11-26, 13:05)',
  );
});

test.each<[string, object, string]>([
  ['a low battery', known({ soc: 12 }), 'de accu is leeg'],
  ['a low battery on the charger', known({ soc: 12, ...CHARGING }), 'de stroom van het laadpunt viel weg'],
  ['a running motor', known({ soc: 60, MotorSpeed: 1500 }), 'geen bereik, zoals in een tunnel'],
  ['no satellites', known({ soc: 60, POSITION_UNIX: RECEIVED - 3600 }), 'staat binnen of onder de grond'],
  ['a machine that was off', known({ soc: 60, MotorSpeed: 0 }), 'de hoofdschakelaar is uit'],
  ['no reading ever', known({ GMT_UNIX: 0 }), 'nog niet aangesloten'],
  [
    'three others nearby at the same time',
    known({ soc: 12 }, { nearby: { silent: 3, reporting: 1 } }),
    'geen netwerk op die plek: 3 andere machines',
  ],
  [
    'three others nearby, of which more still report',
    known({ soc: 12 }, { nearby: { silent: 3, reporting: 4 } }),
    'de accu is leeg',
  ],
])('the usual cause of a silence after %s (53.15)', (_, one, cause) => {
  expect(usualSilenceCause(one as Parameters<typeof usualSilenceCause>[0])).toContain(cause);
});

test('no cause of a silence is named when only a time and a place are known (53.15)', () => {
  expect(usualSilenceCause(known({}))).toBeUndefined();
  expect(silenceSentences(known({}))).toEqual([
    'Laatst bekend (27-11-26, 14:05): plaats Zwolle; accu niet bekend; laden: niet bekend.',
  ]);
});

test('only machines within 1 km that became silent within 15 minutes count as silent together (53.15)', () => {
  const now = (RECEIVED + 86_400) * 1000;
  const at = (lat: number, lastSeenAt: number) => ({ position: { lat, lon: 6.083 }, lastSeenAt });
  const own = at(52.5168, RECEIVED);
  expect(
    nearbySilenceOf(
      own,
      [
        at(52.517, RECEIVED + 600),
        at(52.517, RECEIVED - 899),
        at(52.517, RECEIVED - 901),
        at(52.6, RECEIVED),
        at(52.517, RECEIVED + 86_390),
        { position: undefined, lastSeenAt: RECEIVED },
      ],
      now,
    ),
  ).toEqual({ silent: 2, reporting: 1 });
});
