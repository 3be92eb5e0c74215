/** The preview of an alert rule of each kind, over 30 days at 0.1 Hz of 100 machines (docs/alerts.md section 5). */
import type { AlertPreview } from '#shared/contract/alerts.ts';
import { defaultSettings, MACHINE_ALERT_KINDS } from '#shared/domain/alerts/kinds.ts';
import { fillHistory, HISTORY_DAYS, HISTORY_MACHINES } from './history-data.ts';
import { fetchTimed, startBenchPortal } from './portal.ts';
import { type Bench, timeRow, wholeNumber } from './report.ts';
import { median } from './statistics.ts';

export const previews: Bench = async (context) => {
  const portal = await startBenchPortal(context);
  const streams = (await portal.machines(HISTORY_MACHINES)).map(({ streamId }) => streamId);
  await fillHistory(context, portal, streams);
  const cookie = await portal.signIn();
  const times: number[] = [];
  const details: string[] = [];
  for (const kind of MACHINE_ALERT_KINDS) {
    const settings = defaultSettings(kind);
    const rule = {
      kind,
      settings,
      hours: 'always',
      machines: { by: 'all' },
      isOwn: false,
      organization: 'bench',
    };
    const ask = () => fetchTimed(portal, cookie, '/api/alert-rule/preview', rule);
    const answers = [await ask(), await ask(), await ask()];
    const ms = median(answers.map((one) => one.ms));
    const { count, machines } = JSON.parse(answers[0]?.text ?? '') as AlertPreview;
    details.push(
      `${kind} ${wholeNumber(ms)} ms (${count} times, ${machines?.looked} of ${machines?.all} machines)`,
    );
    context.log(details.at(-1) ?? '');
    times.push(ms);
  }
  const what = `preview of an alert rule for ${HISTORY_MACHINES} machines with ${HISTORY_DAYS} days at 0.1 Hz, slowest kind`;
  return [timeRow(what, [Math.max(...times)], 2_000, { details })];
};
