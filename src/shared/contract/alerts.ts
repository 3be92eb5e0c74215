import { z } from 'zod';
import { ROLES } from '#shared/domain/access.ts';
import {
  ALERT_KIND_NAMES,
  ALERT_STATES,
  PREVIEW_DAYS,
  RULE_HOURS_NAMES,
  SEVERITIES,
} from '#shared/domain/alerts/kinds.ts';
import { DAILY_MAIL_AT } from '#shared/domain/alerts/quiet-hours.ts';
import { NearestContact } from './contacts.ts';
import { type Endpoints, MessageResponse } from './endpoint.ts';
import { singleLineText } from './projects.ts';

/** Maximum number of machines, people or alerts in one call. */
const MAX_NAMED = 1_000;

const Moment = z.iso.datetime();
const Machine = z.object({ serialNumber: z.string(), alias: z.string() });
const kind = z.enum(ALERT_KIND_NAMES);
const severity = z.enum(SEVERITIES);
const hours = z.enum(RULE_HOURS_NAMES);

const Alert = z.object({
  _id: z.string(),
  kind,
  severity,
  /** null: the alert is about `subject`, or about many machines at once; `words` says how many. */
  machine: Machine.nullable(),
  /** The subject of an alert that is not about one machine. */
  subject: z.string().nullable(),
  /** Functional name (as in calls) and display name (as on screens) of the organization. */
  organization: z.string(),
  cleanorg: z.string(),
  /** The rule that raised the alert. */
  rule: z.object({ _id: z.number().int(), ruleName: z.string(), isOwn: z.boolean() }),
  /** A Dutch text that describes the alert, with its figures. */
  words: z.string(),
  /**
   * `value`: the number that the portal compared with the rule's `threshold` at the time `at`; both in `unit`. All
   * three are null for a kind of alert without such a number.
   */
  value: z.number().nullable(),
  threshold: z.number().nullable(),
  unit: z.string().nullable(),
  since: Moment,
  at: Moment,
  /** null: the alert is open. */
  until: Moment.nullable(),
  /** `withdrawn`: later readings showed that its condition was never true. */
  state: z.enum(ALERT_STATES),
  /** The caller is notified of this alert, and has not seen it. */
  isNew: z.boolean(),
  taken: z.object({ by: z.string(), at: Moment }).nullable(),
  /**
   * The contact for the machine of an open alert; null: the machine has no contact, or the caller may not see
   * the contact.
   */
  contact: NearestContact.nullable(),
});
export type Alert = z.output<typeof Alert>;

const Alerts = z.object({
  /** The newest first. */
  alerts: z.array(Alert),
  /** There are older alerts. */
  hasMore: z.boolean(),
  /** Number of all open alerts that the caller has not seen. */
  fresh: z.number().int(),
});
export type Alerts = z.output<typeof Alerts>;

const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'moet een tijd als 21:00 zijn');
const preferences = {
  byMail: z.boolean(),
  byPush: z.boolean(),
  /** Quiet hours; null: none. */
  quiet: z.object({ from: time, to: time }).nullable(),
};
const AlertPreferences = z.object({
  ...preferences,
  mutes: z.array(
    z.object({
      _id: z.number().int(),
      /** Either `machine` or `rule` is muted. */
      machine: Machine.nullable(),
      rule: z.string().nullable(),
      /** null: the mute has no end. */
      until: Moment.nullable(),
    }),
  ),
});
export type AlertPreferences = z.output<typeof AlertPreferences>;

const number = z.number();
const settings = z.strictObject({
  threshold: number.optional(),
  clear: number.optional(),
  hold: number.optional(),
  clearHold: number.optional(),
  ahead: number.optional(),
});
const id = z.int32();
const serial = singleLineText(64).min(1, 'ontbreekt');
const machinesOf = (fewest: number, named: z.ZodString) => {
  const ids = z.array(id).min(fewest, 'kies er minstens een').max(MAX_NAMED);
  return z.discriminatedUnion('by', [
    z.object({ by: z.literal('all') }),
    z.object({ by: z.literal('labels'), ids }),
    z.object({ by: z.literal('projects'), ids }),
    z.object({ by: z.literal('terreinen'), ids }),
    z.object({
      by: z.literal('chosen'),
      serials: z.array(named).min(fewest, 'kies er minstens een').max(MAX_NAMED),
    }),
  ]);
};
const machines = machinesOf(1, serial);
/** The fields of a rule that decide when it fires; a call for a preview has them too. */
const question = { kind, settings, hours, machines };
const rule = {
  ruleName: singleLineText(60).min(1, 'ontbreekt'),
  ...question,
  severity,
  /** E-mail addresses of people of the organization; empty for a personal rule. */
  people: z.array(singleLineText(254)).max(MAX_NAMED),
  roles: z.array(z.enum(ROLES)).max(ROLES.length),
  /** Whether people are also notified when the alert resolves. */
  tellsEnd: z.boolean(),
  isOn: z.boolean(),
};

const AlertRule = z.object({
  _id: z.number().int(),
  ...rule,
  ruleName: z.string(),
  // An empty list is valid in a response: every chosen machine may have been deleted since.
  machines: machinesOf(0, z.string()),
  people: z.array(z.string()),
  organization: z.string(),
  cleanorg: z.string(),
  /** A personal rule of the caller, which notifies only the caller. */
  isOwn: z.boolean(),
  /** Number of open alerts of the rule. */
  open: z.number().int(),
});
export type AlertRule = z.output<typeof AlertRule>;

const AlertPreview = z.object({
  /** false: this kind of alert cannot be computed for the past. */
  isKnown: z.boolean(),
  /** How many alerts there would have been; at most 1,000. */
  count: z.number().int(),
  /** The most recent of these alerts, the newest first. */
  alerts: z.array(
    z.object({
      machine: Machine.nullable(),
      subject: z.string().nullable(),
      words: z.string(),
      since: Moment,
      at: Moment,
      /** null: the alert would still be open. */
      until: Moment.nullable(),
    }),
  ),
  /**
   * `looked`: number of machines that the preview evaluated. `all`: number of machines to which the rule applies;
   * `looked` is lower if there were too many readings, or if 1,000 alerts were found. null: the kind is not about
   * machines.
   */
  machines: z.object({ looked: z.number().int(), all: z.number().int() }).nullable(),
});
export type AlertPreview = z.output<typeof AlertPreview>;

const owner = { isOwn: z.boolean(), organization: singleLineText(254).optional() };

/** Alerts, their rules, and how the caller is notified (docs/alerts.md). */
export const alertsApi = {
  'GET /api/alert/get': {
    summary:
      'Lists the alerts about machines that the caller may see, newest first: all that fire, or the last 200 that do not any more.',
    dutch:
      'De meldingen van machines die iemand ziet, nieuwste eerst: alle die open zijn, of de laatste 200 die dat niet zijn.',
    needs: 'see-machines',
    query: z.object({
      /** `resolved` also lists alerts that were withdrawn. */
      state: z.enum(['firing', 'resolved']).default('firing'),
      /** Only alerts about this machine. */
      serial: serial.optional(),
      /** `_id` of an alert: only that alert. */
      alert: z
        .string()
        .regex(/^\d{1,18}$/, 'is geen melding')
        .optional(),
      /** `_id` of an alert: only older alerts. */
      before: z
        .string()
        .regex(/^\d{1,18}$/, 'is geen melding')
        .optional(),
    }),
    response: Alerts,
  },
  'POST /api/alert/seen': {
    summary: 'Marks alerts as seen by the caller. Safe to repeat.',
    dutch: 'Wie dit vraagt heeft deze meldingen gezien. Mag herhaald worden.',
    needs: 'see-machines',
    body: z.object({
      alerts: z
        .array(z.string().regex(/^\d{1,18}$/, 'is geen melding'))
        .min(1)
        .max(MAX_NAMED),
    }),
  },
  'POST /api/alert/take': {
    summary: 'Marks an alert as handled by the caller, or ends that. Safe to repeat.',
    dutch: 'Wie dit vraagt pakt een melding op, of niet meer. Mag herhaald worden.',
    needs: 'see-machines',
    body: z.object({ alert: z.string().regex(/^\d{1,18}$/, 'is geen melding'), takes: z.boolean() }),
  },
  'POST /api/alert/mute': {
    summary:
      'Mutes the machine or the rule of an alert for the caller: for an hour, until tomorrow 06:30, or without end.',
    dutch: `Wie dit vraagt hoort niets meer van de machine van een melding, of van haar regel: een uur, tot morgen ${DAILY_MAIL_AT} of altijd.`,
    needs: 'see-machines',
    body: z.object({
      alert: z.string().regex(/^\d{1,18}$/, 'is geen melding'),
      what: z.enum(['machine', 'rule']),
      until: z.enum(['hour', 'tomorrow', 'ever']),
    }),
  },
  'POST /api/alert/unmute': {
    summary: 'Ends a mute of the caller.',
    dutch: 'Maakt een eigen demping ongedaan.',
    needs: 'see-machines',
    body: z.object({ _id: id }),
  },
  'GET /api/alert/preferences': {
    summary: "Returns the caller's notification preferences and mutes.",
    dutch: 'Hoe iemand meldingen krijgt, en wat die heeft gedempt.',
    needs: 'see-machines',
    response: AlertPreferences,
  },
  'POST /api/alert/preferences': {
    summary: "Sets the caller's notification preferences.",
    dutch: 'Hoe iemand van nu af meldingen krijgt.',
    needs: 'see-machines',
    body: z.object(preferences),
  },
  'GET /api/alert-rule/get': {
    summary:
      "Lists the alert rules by name: all organizations' for an administrator, their own organization's for others; with the caller's personal rules.",
    dutch:
      'De regels van alle organisaties voor een administrator, van de eigen voor een beheerder, op naam; en de eigen.',
    needs: 'see-machines',
    response: z.array(AlertRule),
  },
  'POST /api/alert-rule/save': {
    summary:
      'Creates or changes a rule. A rule of an organization needs the right to manage alerts (an administrator names the organization); anybody may have personal rules.',
    dutch:
      'Maakt of wijzigt een regel: van de organisatie wie meldingen beheert (een administrator noemt haar), een eigen iedereen.',
    needs: 'see-machines',
    body: z.object({
      _id: id.optional(),
      ...rule,
      ...owner,
    }),
    response: MessageResponse.extend({ _id: z.number().int() }),
  },
  'POST /api/alert-rule/preview': {
    summary:
      'Returns the alerts that a rule would have raised in the last 30 days, for the machines that it would apply to now. Nothing is saved.',
    dutch: `Hoe vaak een regel in de laatste ${PREVIEW_DAYS} dagen iets gemeld zou hebben, van de machines die er nu onder vallen. Er wordt niets bewaard.`,
    needs: 'see-machines',
    changes: false,
    body: z.object({ ...question, ...owner }),
    response: AlertPreview,
  },
  'POST /api/alert-rule/delete': {
    summary: 'Deletes a rule and its alerts.',
    dutch: 'Verwijdert een regel, met haar meldingen.',
    needs: 'see-machines',
    body: z.object({ _id: id }),
  },
} as const satisfies Endpoints;
