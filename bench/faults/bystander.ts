import { percentile } from '../statistics.ts';
import { assertInvariant, sleep } from './fault.ts';
import type { FaultPortal } from './fault-portal.ts';
import { makeUploader } from './noise/noise.ts';
import { callPortal } from './person.ts';
import type { Tenant } from './tenant.ts';

/** Times that a quiet tenant waited for its pages and uploads, ms each, before or while another tenant is noisy. */
export type QuietTenantWaitTimes = { readonly pages: readonly number[]; readonly uploads: readonly number[] };

const HISTORY_S = 86_400;
const BETWEEN_MS = 150;

/** Stores one reading per 10 s of the last day of the tenant's first machine, so that the machine's page has a history to show. */
export async function storeLastDay(portal: FaultPortal, { loggers: [logger] }: Tenant): Promise<void> {
  if (!logger) return;
  const from = Math.floor(Date.now() / 1000) - HISTORY_S;
  const rows = Array.from(
    { length: HISTORY_S / 10 - 10 },
    (_, n) => `${from + 10 * n},${52 + n * 1e-5},5.2,${n % 600 < 300 ? 900 : 0},40,400,${100 - (n % 80)}`,
  );
  const csv = `time,LATITUDE,LONGITUDE,MotorSpeed,BatteryCurrent,BatteryVoltage,Soc1\n${rows.join('\n')}\n`;
  assertInvariant(
    (await makeUploader(portal, logger)('day.csv', csv)) === 200,
    'The bystander has no history.',
  );
}

/** Returns the paths of the API calls that a machine's page makes (src/web/features/machine-page). */
const callsOf = (serial: string): string[] => {
  const range = `start=${new Date(Date.now() - HISTORY_S * 1000).toISOString()}&end=${new Date().toISOString()}`;
  return [
    '/api/auth/validate-token',
    '/api/live',
    `/api/influx/day/${serial}?${range}&points=600`,
    `/api/influx/gps/${serial}?mode=path&${range}`,
    `/api/influx/workpower/${serial}?start=-30d&window=300m`,
    `/api/influx/driverhours/${serial}`,
    `/api/mail/subscription-status?serialNumber=${serial}`,
    `/api/img/${serial}`,
    `/api/manual/${serial}`,
  ];
};

/** For `ms`, opens the page of the tenant's first machine again and again while the machine's logger uploads, and measures both. */
export async function measureQuietTenant(
  portal: FaultPortal,
  { cookie, loggers: [logger], serials: [serial = ''] }: Tenant,
  ms: number,
): Promise<QuietTenantWaitTimes> {
  const pages: number[] = [];
  const uploads: number[] = [];
  const until = performance.now() + ms;
  const again = async (waited: number[], work: () => Promise<void>): Promise<void> => {
    while (performance.now() < until) {
      const began = performance.now();
      await work();
      waited.push(performance.now() - began);
      await sleep(BETWEEN_MS);
    }
  };
  const expecting = async (path: string, ...statuses: number[]): Promise<void> => {
    const answer = await callPortal(portal, path, cookie);
    await answer.arrayBuffer();
    assertInvariant(statuses.includes(answer.status), `The bystander got ${answer.status} for ${path}.`);
  };
  const put = logger && makeUploader(portal, logger);
  await Promise.all([
    again(pages, async () => {
      await expecting(`/machine/${serial}`, 200);
      // The calls for the photo and the manual give 404 if the machine has none.
      await Promise.all(callsOf(serial).map((path) => expecting(path, 200, 404)));
    }),
    again(uploads, async () => {
      const signals = { GMT_UNIX: Math.floor(Date.now() / 1000), Soc1: 50, MotorSpeed: 900 };
      const status = await put?.('snapshot.json', JSON.stringify(signals));
      assertInvariant(status === 200, `The bystander's upload got ${status}.`);
    }),
  ]);
  return { pages, uploads };
}

const waits = (what: string, ms: readonly number[]): string =>
  `${ms.length} ${what}, median ${percentile(ms, 0.5).toFixed(0)}, p95 ${percentile(ms, 0.95).toFixed(0)}, longest ${Math.max(...ms).toFixed(0)} ms`;
export const formatQuietTenantWaitTimes = ({ pages, uploads }: QuietTenantWaitTimes): string =>
  `${waits('pages', pages)}; ${waits('uploads', uploads)}`;
