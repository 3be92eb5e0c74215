import { createHmac } from 'node:crypto';
import { describeUserAgent } from '#shared/domain/browser-text.ts';
import type { RefusalAction } from '#shared/domain/log-text.ts';
import { AUDIT_COLUMNS, addRefusalCounts, type CurrentRequest, publishAuditRows } from './audit.ts';
import type { Database } from './database.ts';
import { networkOf } from './visitor-address.ts';
import type { Warn } from './warn.ts';

/** A refused call. */
export type Refusal = {
  readonly action: RefusalAction;
  /** Network address and browser of the client. */
  readonly who: Pick<CurrentRequest, 'address' | 'userAgent'>;
  readonly accountId?: number | undefined;
  /** The given e-mail address, in lower case. When no account has it, only its keyed hash is stored. */
  readonly email?: string;
  /** The call, spelled as in the contract. */
  readonly call: string;
};

/** Collects refusals for the log: one row per minute, address and account, with a count. */
export type Refusals = {
  /**
   * Adds a refusal to the buffer. Never waits and never throws, so that the duration of a call does not reveal whether the account
   * exists.
   */
  note(refusal: Refusal): void;
  close(): Promise<void>;
};

/**
 * Maximum number of distinct refusals in the buffer. Above this number only the network addresses are counted, up to the same number of
 * addresses.
 */
const MAX_BUFFERED_REFUSALS = 1_000;
/** Maximum number of rows per minute; the rest of a flood from many addresses shares one more row. */
const MAX_ROW_COUNT = 1_000;

export function openRefusals(db: Database, hashKey: Buffer, warn: Warn): Refusals {
  let waiting = new Map<string, Parameters<typeof addRefusalCounts>[1][number] & { count: number }>();
  let running: Promise<void> | undefined;
  const hashOf = (email: string): string =>
    createHmac('sha256', hashKey).update(email).digest('hex').slice(0, 12);

  /** Runs one statement at a time; refusals that arrive meanwhile go into the next statement. */
  async function store(): Promise<void> {
    while (waiting.size > 0) {
      const rows = [...waiting.values()];
      waiting = new Map();
      await addRefusalCounts(db, rows).catch((error: Error) =>
        warn('Could not store refusals in the log', error.message),
      );
    }
    // `running` is reset where the buffer is certainly empty, so that the next refusal starts a new run.
    running = undefined;
  }

  return {
    note({ action, who: { address, userAgent }, accountId, email = '', call }) {
      const stranger = email && hashOf(email);
      const device = describeUserAgent(userAgent);
      let row = { network: networkOf(address), action, accountId, email, stranger, address, device, call };
      const keyOf = () => [row.network, action, row.accountId, row.email].join(' ');
      if (waiting.size >= MAX_BUFFERED_REFUSALS && !waiting.has(keyOf()))
        row = { ...row, accountId: undefined, email: '', stranger: '' };
      if (waiting.size >= 2 * MAX_BUFFERED_REFUSALS && !waiting.has(keyOf()))
        row = { ...row, network: '', address: '', device: '' };
      const known = waiting.get(keyOf());
      if (known) known.count += 1;
      else waiting.set(keyOf(), { ...row, count: 1 });
      running ??= store();
    },
    close: async () => running,
  };
}

/** Turns the counts of past minutes into rows of the log. Idempotent. */
export async function storePastRefusals(db: Database): Promise<void> {
  const { rows } = await db.query<object>(
    `with gone as (
       delete from refusal where minute < date_trunc('minute', now()) returning *
     ), ranked as (
       select *, row_number() over (partition by minute order by count desc) <= $1 as is_told from gone
     ), told as (
       select first_at, action, address, device, call, stranger, nullif(account_id, 0) as account_id, count, 0 as others
       from ranked where is_told
       union all
       select min(first_at), action, '', '', '', '', null, sum(count)::integer, count(*)::integer
       from ranked where not is_told group by minute, action
     )
     insert into audit (at, actor, actor_id, actor_organization_id, address, device, action, kind, subject, account_id,
       account_organization_id, organization_id, data)
     select t.first_at, case when by.id is null then 'sign-in' end, by.id, by.organization_id, t.address, t.device, t.action,
       'refusal', '', t.account_id, a.organization_id, a.organization_id,
       jsonb_strip_nulls(jsonb_build_object(
         'count', t.count, 'stranger', nullif(t.stranger, ''), 'call', nullif(t.call, ''), 'others', nullif(t.others, 0)
       ))
     from told t
     left join account a on a.id = t.account_id
     -- A refused call has a signed-in caller; a refused sign-in may come from anyone.
     left join account by on by.id = t.account_id and t.action in ('call.refuse', 'session.refuse-proof')
     order by t.first_at
     returning ${AUDIT_COLUMNS}`,
    [MAX_ROW_COUNT],
  );
  publishAuditRows(db, rows);
}
