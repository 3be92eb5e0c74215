import { AsyncLocalStorage } from 'node:async_hooks';
import { channel } from 'node:diagnostics_channel';
import type { Logger } from 'pino';
import { describeUserAgent } from '#shared/domain/browser-text.ts';
import type { LogValues } from '#shared/domain/log-fields.ts';
import { type LogAction, logKindOf, type RefusalAction } from '#shared/domain/log-text.ts';
import { getOwnProperty } from '#shared/domain/own-value.ts';
import { afterCommit, type Database } from './database.ts';

/** An act of a person or a program. No field except `actor` and `subject` may contain a secret, a position or an e-mail address. */
export type AuditEntry = {
  /** The person's e-mail address, of which only the account's id is stored; or the name of a program ('first start'). */
  readonly actor: string;
  /** One of LOG_ACTIONS, each of which has a Dutch text. */
  readonly action: Exclude<LogAction, RefusalAction>;
  /** The object: a serial number or loggerid, an organization's functional name; or an e-mail address, stored as an account's id. */
  readonly subject: string;
  /** Further details. */
  readonly data: LogValues;
  /** Details for administrators only, because they name machines or people of another organization. */
  readonly aside?: LogValues;
  /** Values before and after; fields that are equal in both are left out. */
  readonly before?: LogValues;
  readonly after?: LogValues;
  /** Id of the machine or LMB logger that the act concerns. */
  readonly streamId?: number;
  /** Id of the account that the act concerns, if `subject` is not the present e-mail address of that account. */
  readonly accountId?: number;
  /** The account's organization until this act, if the act changes or deletes it. undefined: the account's present organization. */
  readonly accountOrganizationId?: number | null;
  /**
   * The organization whose log has the row; null: administrators only. Default: the owner of the machine, else the organization
   * or account that the row is about, else the actor's.
   */
  readonly organizationId?: number | null;
};

/** The changed values of an act. */
export type AuditChange = Pick<AuditEntry, 'before' | 'after'>;

/** The request that is being answered: its caller, network address, and User-Agent as sent. */
export type CurrentRequest = {
  readonly caller:
    | { readonly accountId: number; readonly organizationId: number; readonly email: string }
    | undefined;
  readonly address: string;
  readonly userAgent: string | undefined;
  readonly requestId: string;
};

const currentRequest = new AsyncLocalStorage<CurrentRequest>();
/** Runs `work` on behalf of this request: audit rows get the request's caller. */
export const runOnBehalfOf = <T>(who: CurrentRequest, work: () => T): T => currentRequest.run(who, work);
/** Returns the request that is being answered; undefined outside a request. */
export const getCurrentRequest = (): CurrentRequest | undefined => currentRequest.getStore();

/** Columns of an audit row that publishAuditRows() passes to its listeners, such as logAudit(). */
export const AUDIT_COLUMNS = `id::text, at, actor, actor_id, address, device, request_id, action, kind, subject,
  account_id, stream_id, organization_id, data, aside, changes`;
const written = channel('werkstroom:audit');

/** Passes each audit row to the listeners once, after the commit of its transaction. */
export const publishAuditRows = (db: Database, rows: readonly object[]): void => {
  for (const row of rows) afterCommit(db, () => written.publish(row));
};

/** Writes every audit row of this process to the log as a line of JSON, for a SIEM. @returns a function that stops it */
export function logAudit(log: Pick<Logger, 'info'>): () => void {
  const write = (audit: unknown): void => log.info({ audit }, 'Audit');
  written.subscribe(write);
  return () => void written.unsubscribe(write);
}

/** Equal refused requests of one minute, with their count. `email` itself is not stored. */
type CountedRefusal = {
  readonly network: string;
  readonly action: string;
  readonly accountId: number | undefined;
  readonly email: string;
  readonly stranger: string;
  readonly address: string;
  readonly device: string;
  readonly call: string;
  readonly count: number;
};

/** Adds refusals to the counts of the present minute. The list has each combination of network, action and account only once. */
export async function addRefusalCounts(db: Database, refusals: readonly CountedRefusal[]): Promise<void> {
  await db.query(
    `insert into refusal as r (minute, network, action, account_id, stranger, address, device, call, count)
     select date_trunc('minute', now()), network, action, coalesce(given, a.id, 0),
       case when coalesce(given, a.id) is null then stranger else '' end, address, device, call, count
     from unnest(
       $1::text[], $2::text[], $3::integer[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::integer[]
     ) as n (network, action, given, email, stranger, address, device, call, count)
     left join account a on lower(a.email) = n.email
     order by 2, 3, 4, 5
     on conflict (minute, network, action, account_id, stranger) do update set count = r.count + excluded.count`,
    (
      ['network', 'action', 'accountId', 'email', 'stranger', 'address', 'device', 'call', 'count'] as const
    ).map((name) => refusals.map((refusal) => refusal[name] ?? null)),
  );
}

/**
 * Adds an audit row. Call it in the transaction of the change, so that both are stored or neither. Do not call it for a refusal:
 * serve.ts passes a thrown ProblemError on to refusals.ts, which counts refusals.
 */
export async function audit(db: Database, entry: AuditEntry): Promise<void> {
  const { actor, action, subject, organizationId } = entry;
  const who = getCurrentRequest();
  const caller = who?.caller?.email === actor ? who.caller : undefined;
  const { rows } = await db.query<object>(
    `with one as (
       select coalesce($2::integer, by.id) as actor_id, coalesce($3::integer, by.organization_id) as actor_organization_id,
         coalesce($4::integer, about.id) as account_id, about.organization_id as account_organization_id
       from (values (1)) as nothing
       left join account by on lower(by.email) = lower($1)
       left join account about on about.id = coalesce($4, (select id from account where lower(email) = lower($5)))
     )
     insert into audit (actor, actor_id, actor_organization_id, address, device, request_id, action, kind, subject, account_id,
       account_organization_id, stream_id, organization_id, data, aside, changes)
     select case when position('@' in $1) = 0 then $1 end, actor_id, actor_organization_id, $6, $7, $8, $9, $10,
       case when position('@' in $5) = 0 then $5 else '' end, account_id,
       coalesce($17::integer, account_organization_id), $11::integer,
       case when $12 then $13::integer else coalesce(
         (select organization_id from ownership where stream_id = $11 and valid_to = 'infinity'),
         case $10 when 'organization' then (select id from organization where name = $5) end,
         account_organization_id, actor_organization_id
       ) end,
       $14::jsonb, $15::jsonb, $16::jsonb
     from one returning ${AUDIT_COLUMNS}`,
    [
      actor,
      caller?.accountId,
      caller?.organizationId,
      entry.accountId,
      subject,
      who?.address ?? '',
      describeUserAgent(who?.userAgent),
      who?.requestId ?? '',
      action,
      logKindOf(action),
      entry.streamId,
      organizationId !== undefined,
      organizationId,
      JSON.stringify(entry.data),
      JSON.stringify(entry.aside ?? {}),
      JSON.stringify(changedFields(entry.before, entry.after)),
      entry.accountOrganizationId ?? null,
    ],
  );
  publishAuditRows(db, rows);
}

/** Returns the fields that differ, as name to [before, after]; a missing side means that the field was added or removed. */
export function changedFields(
  before: Readonly<Record<string, unknown>> = {},
  after: Readonly<Record<string, unknown>> = {},
): Record<string, readonly [unknown, unknown]> {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return Object.fromEntries(
    names
      .map(
        (name) =>
          [name, [getOwnProperty(before, name) ?? null, getOwnProperty(after, name) ?? null]] as const,
      )
      .filter(([, [had, has]]) => JSON.stringify(had) !== JSON.stringify(has)),
  );
}
