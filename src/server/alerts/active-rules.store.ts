import type { Database } from '#server/platform/database.ts';
import { readPresentMachines } from '#server/projects/present.ts';
import { readOnTerreinen } from '#server/terreinen/on-terreinen.ts';
import { ADMIN_ORGANIZATION } from '#shared/domain/access.ts';
import type { RuleSettings } from '#shared/domain/alerts/kinds/kind.ts';
import {
  type AlertKind,
  isPresenceKind,
  isReadingKind,
  isSubscriptionAlertKind,
  type ReadingAlertKind,
  type RuleHours,
  SUBSCRIPTION_ALERT_KINDS,
} from '#shared/domain/alerts/kinds.ts';
import type { WatchedMachine } from '#shared/domain/alerts/watch.ts';
import type { WorkingHours } from '#shared/domain/privacy.ts';
import { readWorkTimes } from './work-time.ts';

/** Active rules, and the machines that they cover. */

/** How a rule selects its machines. */
export type RuleMachineSelection = 'all' | 'labels' | 'projects' | 'terreinen' | 'chosen';

export type ActiveRule = {
  readonly id: number;
  readonly version: number;
  readonly organizationId: number;
  readonly kind: AlertKind;
  readonly settings: RuleSettings;
  readonly hours: RuleHours;
  readonly machines: RuleMachineSelection;
  readonly ids: readonly number[];
  /** Time from which this version of the rule applies, in ms. */
  readonly validFrom: number;
  /** Whether this is a charging rule of a person who sees the machines of all organizations. */
  readonly seesAll: boolean;
};

/** Returns the key by which a machine's evaluation state refers to this version of a rule. */
export const ruleVersionKey = ({ id, version }: Pick<ActiveRule, 'id' | 'version'>): string =>
  `${id}.${version}`;

/** Returns the enabled rules of active organizations. Skips a person's own rules when the person has moved to another organization. */
export async function readActiveRules(db: Database): Promise<ActiveRule[]> {
  const { rows } = await db.query<ActiveRule>(
    `select r.id, r.version, r.organization_id, r.kind, r.settings, r.hours, r.machines, r.ids,
       extract(epoch from r.valid_from)::float8 * 1000 as valid_from, o.name = $1 and r.kind = any ($2) as sees_all
     from alert_rule r join organization o on o.id = r.organization_id and o.is_active
     left join account a on a.id = r.account_id
     where r.is_on and (r.account_id is null or a.organization_id = r.organization_id)
     order by r.id`,
    [ADMIN_ORGANIZATION, SUBSCRIPTION_ALERT_KINDS],
  );
  return rows;
}

/** The facts about a machine that rules need. */
export type OwnedMachine = {
  readonly streamId: number;
  readonly organizationId: number;
  /** Since when the present organization owns the machine, in ms. */
  readonly ownedSince: number;
  readonly batteries: readonly { readonly capacity: number | null }[];
  readonly labels: readonly number[];
};

/**
 * Returns the machines that are not deleted, with their present owner.
 * @param organizations null: all organizations
 * @param streamIds null: all machines
 */
export async function readOwnedMachines(
  db: Database,
  organizations: readonly number[] | null,
  streamIds: readonly number[] | null,
): Promise<OwnedMachine[]> {
  const { rows } = await db.query<OwnedMachine>(
    `select s.id as stream_id, w.organization_id, m.batteries,
       extract(epoch from w.valid_from)::float8 * 1000 as owned_since,
       array(select label_id from machine_label l where l.stream_id = s.id) as labels
     from stream s join ownership w on w.stream_id = s.id and w.valid_to = 'infinity' join machine m on m.stream_id = s.id
     where s.deleted_at is null and ($1::int[] is null or w.organization_id = any ($1)) and ($2::int[] is null or s.id = any ($2))
     order by s.id`,
    [organizations, streamIds],
  );
  return rows;
}

/**
 * Returns a function that says whether a rule covers a machine now.
 * @param hours only positions in these hours place a machine on a project or terrein; undefined: all positions count
 */
export async function readRuleCoverage(
  db: Database,
  rules: readonly ActiveRule[],
  now: number,
  hours?: WorkingHours,
): Promise<(rule: ActiveRule, machine: OwnedMachine) => boolean> {
  const organizationsBy = (by: RuleMachineSelection): number[] => {
    const asking = rules.filter(({ machines, kind }) => machines === by && !isPresenceKind(kind));
    return [...new Set(asking.map(({ organizationId }) => organizationId))];
  };
  const byProject = organizationsBy('projects');
  const present = byProject.length === 0 ? [] : await readPresentMachines(db, byProject, hours, now);
  const byTerrein = organizationsBy('terreinen');
  const onTerreinen = byTerrein.length === 0 ? [] : await readOnTerreinen(db, byTerrein, hours);
  const terreinOf = new Map(onTerreinen.map(({ streamId, terreinId }) => [streamId, terreinId]));
  const projectOf = new Map(present.map(({ streamId, projectId }) => [streamId, projectId]));
  const idsOf = new Map(rules.map(({ id, ids }) => [id, new Set(ids)]));
  return ({ id, organizationId, machines, kind }, machine) => {
    // A charging rule may belong to a person of another organization; whether they see the machine is checked when the mail is sent.
    if (organizationId !== machine.organizationId && !isSubscriptionAlertKind(kind)) return false;
    // Arrival and departure rules cover every machine that comes to these projects or terreinen.
    if ((machines === 'projects' || machines === 'terreinen') && isPresenceKind(kind)) return true;
    const ids = idsOf.get(id);
    if (machines === 'labels') return machine.labels.some((label) => ids?.has(label));
    if (machines === 'projects') return ids?.has(projectOf.get(machine.streamId) ?? 0) ?? false;
    if (machines === 'terreinen') return ids?.has(terreinOf.get(machine.streamId) ?? 0) ?? false;
    return machines === 'all' || (ids?.has(machine.streamId) ?? false);
  };
}

/**
 * Returns, by stream, the rules and facts by which readings of these machines are evaluated. Leaves out deleted machines.
 * @param readFrom time of the first reading, in ms
 */
export async function readWatchedMachines(
  db: Database,
  rules: readonly ActiveRule[],
  streamIds: readonly number[],
  readFrom: number,
  now: number,
): Promise<Map<number, WatchedMachine & OwnedMachine>> {
  const ofReadings = rules.filter(({ kind }) => isReadingKind(kind));
  const machines = await readOwnedMachines(db, null, streamIds);
  const covers = await readRuleCoverage(db, ofReadings, now);
  const workTime = await readWorkTimes(db, machines, { from: readFrom, to: now });
  return new Map(
    machines.map((machine) => [
      machine.streamId,
      {
        ...machine,
        isWorkTime: workTime(machine.streamId),
        rules: ofReadings
          .filter((rule) => covers(rule, machine))
          .map((rule) => ({
            key: ruleVersionKey(rule),
            kind: rule.kind as ReadingAlertKind,
            settings: rule.settings,
            inWorkOnly: rule.hours === 'work',
            from: rule.seesAll ? rule.validFrom : Math.max(rule.validFrom, machine.ownedSince),
            seesBefore: rule.seesAll,
          })),
      },
    ]),
  );
}
