import { readActiveFaults } from '#server/fault-codes/fault-codes.store.ts';
import type { Database } from '#server/platform/database.ts';
import { faultAlertText } from '#shared/domain/alerts/clock-rules.ts';
import { nextShift, shiftOf } from '#shared/domain/alerts/work-week.ts';
import { type FaultEpisode, faultKey } from '#shared/domain/fault-codes.ts';
import type { OwnedMachine } from './active-rules.store.ts';
import type { Preview, PreviewedAlert } from './past-machine-state.ts';

const MINUTE_MS = 60_000;

/** Returns the alerts that a rule of fault codes would have opened, by stream, as if each DM1 arrived when it was sent. */
export async function findFaults(
  db: Database,
  { rule, week, range }: Preview,
  machines: readonly OwnedMachine[],
): Promise<Map<number, PreviewedAlert[]>> {
  const { hold = 0, clearHold = 0 } = rule.settings;
  const active = await readActiveFaults(db, machines, range.from);
  const found = new Map<number, PreviewedAlert[]>();
  for (const [streamId, faults] of active) {
    const ofCode = Map.groupBy(faults, faultKey);
    const alerts = [...ofCode.values()].flatMap((own) =>
      joinEpisodes(own, clearHold * MINUTE_MS).flatMap((spell): PreviewedAlert[] => {
        const first = spell.since + hold * MINUTE_MS;
        if (spell.lastSeen < first) return [];
        const at = rule.hours === 'work' && !shiftOf(week, first) ? nextShift(week, first)?.from : first;
        const { over } = spell;
        if (at === undefined || at < range.from || at >= range.to || (over !== null && at >= over)) return [];
        const isOver = over !== null && over < range.to;
        return [{ since: spell.since, at, words: faultAlertText(spell), ...(isOver && { until: over }) }];
      }),
    );
    if (alerts.length > 0) found.set(streamId, alerts);
  }
  return found;
}

/** Returns the episodes of a code in order; joins those that follow each other within `clearMs`. */
function joinEpisodes(faults: readonly FaultEpisode[], clearMs: number): FaultEpisode[] {
  const spells: FaultEpisode[] = [];
  for (const fault of [...faults].sort((one, other) => one.since - other.since)) {
    const last = spells.at(-1);
    const isSame = last && last.over !== null && fault.since - last.over < clearMs;
    if (isSame) spells.splice(-1, 1, { ...last, lastSeen: fault.lastSeen, over: fault.over });
    else spells.push(fault);
  }
  return spells;
}
