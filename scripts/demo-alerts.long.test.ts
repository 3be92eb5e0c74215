import { afterAll, beforeAll, expect, test } from 'vitest';
import { untilCounted } from '#server/day-figures/test/until-counted.ts';
import { fillPiece, readMissing } from '#server/demo/history-fill.ts';
import { seedDemo } from '#server/demo/seed.ts';
import { findOrganization } from '#server/organizations/organizations.store.ts';
import { openPartitions } from '#server/telemetry/partitions.ts';
import { type TestPortal, testPortal } from '#server/test/portal.ts';
import { configSettings } from '#server/writers/configuration-settings.ts';
import type { AlertPreview } from '#shared/contract/alerts.ts';
import { demoMachines } from '#shared/demo/fleet.ts';
import { FLEET_OWNER } from '#shared/demo/organizations.ts';
import { MACHINE_KINDS, type MachineKind, usualSettings } from '#shared/domain/alerts/kinds.ts';
import { demoLoggers } from '#simulator/demo-loggers.ts';
import { demoWindows } from './history-plan.ts';

/** Half past midnight in Amsterdam, on a Monday: nothing has happened yet since the weekend. */
const NOW = Date.parse('2026-11-22T23:30:00Z');
const MINUTES = 60_000;
const BOSS = 'baas@demo.nl';

/** No machine of the demo sends DM1. */
type DemoKind = Exclude<MachineKind, 'fault'>;

/** At which machine each kind is to be found. */
const WHERE: Readonly<Record<DemoKind, string>> = {
  low: 'VLT17-A093',
  'not-charging': 'VLT2-B014',
  silent: 'STR09-1140',
  unseen: 'STR09-1140',
  'not-full': 'RH220-5120',
  maintenance: 'STR26-0417',
  moved: 'RH220-5120',
  'packs-apart': 'BK110-7740',
  'pack-silent': 'VLT17-A101',
  arrived: 'STR26-0417',
  left: 'STR26-0417',
  'runs-short': 'STR26-0417',
  speeding: 'STR26-0417',
};

let portal: TestPortal;
beforeAll(async () => {
  portal = await testPortal({}, () => NOW);
  await seedDemo(portal.pool, portal.secrets, configSettings(portal.portal.config), new Date(NOW));
  await portal.user(BOSS, (await findOrganization(portal.pool, FLEET_OWNER)) as number, 'beheerder');
  const fleet = demoLoggers();
  const { rows } = await portal.pool.query<{ streamId: number; loggerSerial: string }>(
    `select stream_id as "streamId", logger_serial as "loggerSerial" from writer where logger_serial = any ($1)`,
    [loggersOf(Object.values(WHERE))],
  );
  const streams = rows.map((stream) => ({
    ...stream,
    silent: fleet.get(stream.loggerSerial)?.silent ?? false,
  }));
  const windows = demoWindows(streams, NOW);
  const partitions = openPartitions(portal.pool, () => NOW);
  const missing = await readMissing(portal.pool, windows);
  for (const [n, window] of windows.entries())
    for (const piece of missing[n] ?? [])
      await fillPiece(
        portal.pool,
        partitions,
        window,
        piece,
        fleet.get(window.loggerSerial)?.signalsAt ?? (() => ({})),
      );
  await portal.pool.query('analyze reading, rollup, latest');
  await untilCounted(portal.pool);
}, 20 * MINUTES);
afterAll(() => portal.close());

const loggersOf = (serials: readonly string[]): string[] =>
  demoMachines
    .filter(({ serialNumber }) => serials.includes(serialNumber))
    .map(({ loggerSerial }) => loggerSerial);

test.each(MACHINE_KINDS.filter((kind): kind is DemoKind => kind !== 'fault'))(
  '16.8x in the 30 days of the demo a rule of %s would have told something',
  async (kind) => {
    const cookie = await portal.login(BOSS);
    const answer = await portal.app.inject({
      method: 'POST',
      url: '/api/alert-rule/preview',
      headers: { cookie },
      payload: {
        kind,
        settings: usualSettings(kind),
        hours: 'always',
        machines: { by: 'chosen', serials: [WHERE[kind]] },
        isOwn: false,
      },
    });
    const preview: AlertPreview = answer.json();
    expect(answer.statusCode, answer.body).toBe(200);
    expect(preview.count).toBeGreaterThan(0);
  },
);
