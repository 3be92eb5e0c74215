import { z } from 'zod';
import { ROLES } from '#shared/domain/access.ts';
import { ALERT_KIND_NAMES, RULE_HOURS_NAMES, SEVERITIES } from '#shared/domain/alerts/kinds.ts';
import { NearestContact } from './contacts.ts';
import type { Endpoint } from './endpoint.ts';
import { line } from './projects.ts';

/** What a rule or a mute may name at most. */
const MOST_NAMED = 1_000;

const Moment = z.iso.datetime();
const Done = z.object({ message: z.string() });
const Machine = z.object({ serialNumber: z.string(), alias: z.string() });
const kind = z.enum(ALERT_KIND_NAMES);
const severity = z.enum(SEVERITIES);
const hours = z.enum(RULE_HOURS_NAMES);

const Alert = z.object({
  _id: z.string(),
  kind,
  severity,
  /** null: of what `subject` says, or of many at once; `words` says how many. */
  machine: Machine.nullable(),
  /** What it is about where that is no machine. */
  subject: z.string().nullable(),
  /** Functional and display name of whose it is. */
  organization: z.string(),
  cleanorg: z.string(),
  /** Of the rule. */
  rule: z.object({ _id: z.number().int(), ruleName: z.string(), isOwn: z.boolean() }),
  /** What was seen, with its figures. */
  words: z.string(),
  since: Moment,
  at: Moment,
  /** null: it is open. */
  until: Moment.nullable(),
  /** It turned out not to be so. */
  isWithdrawn: z.boolean(),
  /** The caller is one of those who are told, and has not seen it. */
  isNew: z.boolean(),
  taken: z.object({ by: z.string(), at: Moment }).nullable(),
  /** Whom to call about the machine of an open alert, as far as the caller may see contacts. */
  contact: NearestContact.nullable(),
});
export type Alert = z.output<typeof Alert>;

const Alerts = z.object({
  /** The newest first. */
  alerts: z.array(Alert),
  /** There are older ones. */
  hasMore: z.boolean(),
  /** How many of all that are open are new to the caller. */
  fresh: z.number().int(),
});
export type Alerts = z.output<typeof Alerts>;

const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'moet een tijd als 21:00 zijn');
const preferences = {
  byMail: z.boolean(),
  byPush: z.boolean(),
  /** null: one may be told at any time. */
  quiet: z.object({ from: time, to: time }).nullable(),
};
const AlertPreferences = z.object({
  ...preferences,
  mutes: z.array(
    z.object({
      _id: z.number().int(),
      /** What is muted: one of these two. */
      machine: Machine.nullable(),
      rule: z.string().nullable(),
      /** null: for good. */
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
const serial = line(64).min(1, 'ontbreekt');
const machinesOf = (fewest: number, named: z.ZodString) => {
  const ids = z.array(id).min(fewest, 'kies er minstens een').max(MOST_NAMED);
  return z.discriminatedUnion('by', [
    z.object({ by: z.literal('all') }),
    z.object({ by: z.literal('labels'), ids }),
    z.object({ by: z.literal('projects'), ids }),
    z.object({ by: z.literal('terreinen'), ids }),
    z.object({
      by: z.literal('chosen'),
      serials: z.array(named).min(fewest, 'kies er minstens een').max(MOST_NAMED),
    }),
  ]);
};
const machines = machinesOf(1, serial);
/** What a rule looks for. */
const question = { kind, settings, hours, machines };
const rule = {
  ruleName: line(60).min(1, 'ontbreekt'),
  ...question,
  severity,
  /** E-mail addresses of people of the organization; of one's own rule none. */
  people: z.array(line(254)).max(MOST_NAMED),
  roles: z.array(z.enum(ROLES)).max(ROLES.length),
  /** Whether it is told too that it is over. */
  tellsEnd: z.boolean(),
  isOn: z.boolean(),
};

const AlertRule = z.object({
  _id: z.number().int(),
  ...rule,
  ruleName: z.string(),
  // Of those that were chosen none may be there any more.
  machines: machinesOf(0, z.string()),
  people: z.array(z.string()),
  organization: z.string(),
  cleanorg: z.string(),
  /** The caller's own, which tells them alone. */
  isOwn: z.boolean(),
  /** Alerts of it that are open. */
  open: z.number().int(),
});
export type AlertRule = z.output<typeof AlertRule>;

const AlertPreview = z.object({
  /** false: how it was in those days is not known of this kind. */
  isKnown: z.boolean(),
  /** How often it would have been told; 1,000 at most. */
  count: z.number().int(),
  /** The last of them, the newest first. */
  alerts: z.array(
    z.object({
      machine: Machine.nullable(),
      subject: z.string().nullable(),
      words: z.string(),
      since: Moment,
      at: Moment,
      /** null: it still is. */
      until: Moment.nullable(),
    }),
  ),
  /** Of how many machines it is known: not of all where there were too many readings, or 1,000 times were found. null: of none. */
  machines: z.object({ looked: z.number().int(), all: z.number().int() }).nullable(),
});
export type AlertPreview = z.output<typeof AlertPreview>;

const owner = { isOwn: z.boolean(), organization: line(254).optional() };

/** What the portal tells people of by itself (docs/alerts.md). */
export const alertsApi = {
  'GET /api/alert/get': {
    summary:
      'The alerts of machines that the caller sees, newest first: all that are open, or the last 200 that are not.',
    access: 'session',
    needs: 'see-machines',
    changes: false,
    query: z.object({
      state: z.enum(['open', 'closed']).default('open'),
      /** Of one machine. */
      serial: serial.optional(),
      /** `_id` of an alert: that one alone. */
      alert: z
        .string()
        .regex(/^\d{1,18}$/, 'is geen melding')
        .optional(),
      /** `_id` of an alert: older ones than that. */
      before: z
        .string()
        .regex(/^\d{1,18}$/, 'is geen melding')
        .optional(),
    }),
    response: Alerts,
  },
  'POST /api/alert/seen': {
    summary: 'The caller has seen these alerts. Safe to repeat.',
    access: 'session',
    needs: 'see-machines',
    changes: true,
    body: z.object({
      alerts: z
        .array(z.string().regex(/^\d{1,18}$/, 'is geen melding'))
        .min(1)
        .max(MOST_NAMED),
    }),
    response: Done,
  },
  'POST /api/alert/take': {
    summary: 'The caller sees to an alert, or does no more. Safe to repeat.',
    access: 'session',
    needs: 'see-machines',
    changes: true,
    body: z.object({ alert: z.string().regex(/^\d{1,18}$/, 'is geen melding'), takes: z.boolean() }),
    response: Done,
  },
  'POST /api/alert/mute': {
    summary:
      'The caller is told nothing more of the machine of an alert, or by its rule: for an hour, until tomorrow 06:30, or for good.',
    access: 'session',
    needs: 'see-machines',
    changes: true,
    body: z.object({
      alert: z.string().regex(/^\d{1,18}$/, 'is geen melding'),
      what: z.enum(['machine', 'rule']),
      until: z.enum(['hour', 'tomorrow', 'ever']),
    }),
    response: Done,
  },
  'POST /api/alert/unmute': {
    summary: 'Ends a mute of the caller.',
    access: 'session',
    needs: 'see-machines',
    changes: true,
    body: z.object({ _id: id }),
    response: Done,
  },
  'GET /api/alert/preferences': {
    summary: 'How the caller is told, and what they muted.',
    access: 'session',
    needs: 'see-machines',
    changes: false,
    response: AlertPreferences,
  },
  'POST /api/alert/preferences': {
    summary: 'How the caller is told from now on.',
    access: 'session',
    needs: 'see-machines',
    changes: true,
    body: z.object(preferences),
    response: Done,
  },
  'GET /api/alert-rule/get': {
    summary:
      'The rules of all organizations for an administrator, of their own for others, by name; with the caller’s own.',
    access: 'session',
    needs: 'see-machines',
    changes: false,
    response: z.array(AlertRule),
  },
  'POST /api/alert-rule/save': {
    summary:
      'Makes a rule, or changes one: of the organization by who may manage alerts (an administrator names it), one’s own by anybody.',
    access: 'session',
    needs: 'see-machines',
    changes: true,
    body: z.object({
      _id: id.optional(),
      ...rule,
      ...owner,
    }),
    response: Done.extend({ _id: z.number().int() }),
  },
  'POST /api/alert-rule/preview': {
    summary:
      'How often a rule would have told something in the last 30 days, of the machines that it would be of now. Nothing is saved.',
    access: 'session',
    needs: 'see-machines',
    changes: false,
    body: z.object({ ...question, ...owner }),
    response: AlertPreview,
  },
  'POST /api/alert-rule/delete': {
    summary: 'Deletes a rule, with its alerts.',
    access: 'session',
    needs: 'see-machines',
    changes: true,
    body: z.object({ _id: id }),
    response: Done,
  },
} as const satisfies Record<string, Endpoint>;
