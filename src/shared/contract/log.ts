import { z } from 'zod';
import { LOG_KINDS, type LogKind } from '#shared/domain/log-kinds.ts';
import type { Endpoint } from './endpoint.ts';

/** A person whom a row refers to by id: by their own name, else their address, else 'vertrokken account 12'. */
const Person = z.object({
  /** Absent where the caller may not know who it was. */
  id: z.number().int().optional(),
  name: z.string(),
  /** Their address, where they are called otherwise. */
  email: z.string().optional(),
});

const values = z.record(z.string(), z.unknown());

const LogEntry = z.object({
  /** The next page comes after this. */
  cursor: z.string(),
  /** ISO time, UTC. */
  at: z.string(),
  /** noun.verb; the words are in shared/domain/log-text.ts. */
  action: z.string(),
  who: Person,
  /** From where and with what; '' where nobody knows, or the caller may not. */
  address: z.string(),
  device: z.string(),
  /** Serial number or loggerid of then, or an organization's functional name; '' of an account. */
  subject: z.string(),
  /** Whether `subject` is a machine's or an LMB logger's. */
  isMachine: z.boolean(),
  account: Person.optional(),
  /** In whose log it is; for who sees more than one. */
  organization: z.string().optional(),
  data: values,
  /** Name to [before, after]. */
  changes: z.record(z.string(), z.tuple([z.unknown(), z.unknown()])),
});
export type LogEntry = z.output<typeof LogEntry>;

const moment = z.iso.datetime({ offset: true, error: 'is geen tijd' }).optional();
/** What the log is asked for; all of it may be left out. */
export const LogFilter = z.object({
  /** Id of an account: what they did, and what was done to it. */
  person: z.coerce.number({ error: 'is geen nummer' }).int().min(1).max(2_147_483_647).optional(),
  /** A serial number or loggerid, of now or of then. */
  machine: z.string().trim().max(200).optional(),
  kind: z.enum(Object.keys(LOG_KINDS) as [LogKind, ...LogKind[]], { error: 'bestaat niet' }).optional(),
  from: moment,
  to: moment,
});
export type LogFilter = z.output<typeof LogFilter>;

/** Whether a calendar has 'YYYY-MM-DDTHH:mm:ss' (UTC); PostgreSQL knows no year 0. */
function isRealTime(text: string): boolean {
  const at = Date.parse(`${text}Z`);
  return !Number.isNaN(at) && !text.startsWith('0000') && new Date(at).toISOString().startsWith(text);
}

/** Who did what to what (Logboek). */
export const logApi = {
  'GET /api/log': {
    summary:
      'Who did what to what, newest first, 50 at a time: an administrator reads all, a beheerder what is of its organization.',
    access: 'session',
    needs: 'see-log',
    changes: false,
    query: LogFilter.extend({
      /** `cursor` of the last entry that is known. */
      after: z
        .string()
        .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z_\d{1,18}$/, 'is onleesbaar')
        .refine((cursor) => isRealTime(cursor.slice(0, 19)), 'is onleesbaar')
        .optional(),
    }),
    response: z.object({ entries: z.array(LogEntry), isEnd: z.boolean() }),
  },
  'GET /api/log/csv': {
    summary: 'The same, all of it, as CSV with semicolons for Excel.',
    access: 'session',
    needs: 'see-log',
    changes: false,
    media: 'text/csv',
    query: LogFilter,
    response: z.unknown(),
  },
} as const satisfies Record<string, Endpoint>;
