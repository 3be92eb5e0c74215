import { readActiveFaults } from '#server/fault-codes/fault-codes.store.ts';
import type { Database } from '#server/platform/database.ts';
import { faultAlertInWords } from '#shared/domain/alerts/standing.ts';
import { nextShift, shiftOf } from '#shared/domain/alerts/work-week.ts';
import { type FaultEpisode, faultKey } from '#shared/domain/fault-codes.ts';
import type { Preview, Told } from './past-standing.ts';
import type { OwnedMachine } from './watched.store.ts';

const MINUTE_MS = 60_000;

/** Returns the alerts that a rule of fault codes would have opened, by stream, as if each DM1 had come in when it was sent. */
export async function findFaults(
  db: Database,
  { rule, week, range }: Preview,
  machines: readonly OwnedMachine[],
): Promise<Map<number, Told[]>> {
  const { hold = 0, clearHold = 0 } = rule.settings;
  const active = await readActiveFaults(db, machines, range.from);
  const found = new Map<number, Told[]>();
  for (const [streamId, faults] of active) {
    const ofCode = Map.groupBy(faults, faultKey);
    const told = [...ofCode.values()].flatMap((own) =>
      spellsOf(own, clearHold * MINUTE_MS).flatMap((spell): Told[] => {
        const first = spell.since + hold * MINUTE_MS;
        if (spell.lastSeen < first) return [];
        const at = rule.hours === 'work' && !shiftOf(week, first) ? nextShift(week, first)?.from : first;
        const { over } = spell;
        if (at === undefined || at < range.from || at >= range.to || (over !== null && at >= over)) return [];
        const isOver = over !== null && over < range.to;
        return [{ since: spell.since, at, words: faultAlertInWords(spell), ...(isOver && { until: over }) }];
      }),
    );
    if (told.length > 0) found.set(streamId, told);
  }
  return found;
}

/** Returns the episodes of a code in order, those that follow each other within `clearMs` as one. */
function spellsOf(faults: readonly FaultEpisode[], clearMs: number): FaultEpisode[] {
  const spells: FaultEpisode[] = [];
  for (const fault of [...faults].sort((one, other) => one.since - other.since)) {
    const last = spells.at(-1);
    const isSame = last && last.over !== null && fault.since - last.over < clearMs;
    if (isSame) spells.splice(-1, 1, { ...last, lastSeen: fault.lastSeen, over: fault.over });
    else spells.push(fault);
  }
  return spells;
}
