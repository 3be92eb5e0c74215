import { z } from 'zod';
import { LOG_KINDS, type LogKind } from '#shared/domain/log-kinds.ts';
import type { Endpoints } from './endpoint.ts';

/** A person in the log. `name`: display name, else the e-mail address, else 'vertrokken account 12'. */
const Person = z.object({
  /** Absent if the caller may not know the person. */
  id: z.number().int().optional(),
  name: z.string(),
  /** E-mail address, where `name` is another text. */
  email: z.string().optional(),
});

const values = z.record(z.string(), z.unknown());

const LogEntry = z.object({
  /** Position of the entry, which a client sends as `after` to get the next page. */
  cursor: z.string(),
  /** ISO time, UTC. */
  at: z.string(),
  /** In the form 'noun.verb'; the Dutch texts are in shared/domain/log-text.ts. */
  action: z.string(),
  who: Person,
  /** IP address, and browser and system; '' if they are not known, or the caller may not know them. */
  address: z.string(),
  device: z.string(),
  /** Serial number or loggerid at the time, or an organization's functional name; '' for an account. */
  subject: z.string(),
  /** Whether `subject` is a machine's or an LMB logger's. */
  isMachine: z.boolean(),
  account: Person.optional(),
  /** The organization whose log contains the entry, for callers who see more than one organization. */
  organization: z.string().optional(),
  data: values,
  /** By field name: [value before, value after]. */
  changes: z.record(z.string(), z.tuple([z.unknown(), z.unknown()])),
});
export type LogEntry = z.output<typeof LogEntry>;

const moment = z.iso.datetime({ offset: true, error: 'is geen tijd' }).optional();
/** The filters of the log. */
export const LogFilter = z.object({
  /** Id of an account: actions by this account and actions on it. */
  person: z.coerce.number({ error: 'is geen nummer' }).int().min(1).max(2_147_483_647).optional(),
  /** A present or former serial number or loggerid. */
  machine: z.string().trim().max(200).optional(),
  kind: z.enum(Object.keys(LOG_KINDS) as [LogKind, ...LogKind[]], { error: 'bestaat niet' }).optional(),
  from: moment,
  to: moment,
});
export type LogFilter = z.output<typeof LogFilter>;

/** Returns whether 'YYYY-MM-DDTHH:mm:ss' (UTC) exists in the calendar; PostgreSQL has no year 0. */
function isRealTime(text: string): boolean {
  const at = Date.parse(`${text}Z`);
  return !Number.isNaN(at) && !text.startsWith('0000') && new Date(at).toISOString().startsWith(text);
}

/** The audit log (Logboek). */
export const logApi = {
  'GET /api/log': {
    summary:
      'Lists the audit log, newest first, 50 entries at a time: an administrator reads all, a beheerder the log of their organization.',
    dutch:
      'Wie wat deed waarmee, het nieuwste eerst, 50 tegelijk: een administrator leest alles, een beheerder wat van zijn organisatie is.',
    needs: 'see-log',
    query: LogFilter.extend({
      /** `cursor` of the last entry of the page before. */
      after: z
        .string()
        .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z_\d{1,18}$/, 'is onleesbaar')
        .refine((cursor) => isRealTime(cursor.slice(0, 19)), 'is onleesbaar')
        .optional(),
    }),
    response: z.object({ entries: z.array(LogEntry), isEnd: z.boolean() }),
  },
  'GET /api/log/csv': {
    summary: 'Downloads the whole audit log as CSV, with semicolons for Excel.',
    dutch: 'Hetzelfde, in zijn geheel, als CSV met puntkomma’s voor Excel.',
    needs: 'see-log',
    media: 'text/csv',
    query: LogFilter,
    response: z.unknown(),
  },
} as const satisfies Endpoints;
