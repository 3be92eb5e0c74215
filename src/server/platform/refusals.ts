import { createHmac } from 'node:crypto';
import type { LogAction } from '#shared/domain/log-words.ts';
import { type Asking, announce, TOLD } from './audit.ts';
import type { Database } from './database.ts';
import { networkOf } from './rate-limit.ts';
import type { Warn } from './warn.ts';

/** What was refused to somebody. */
export type Refusal = {
  readonly action: Extract<LogAction, `${string}.refuse`>;
  /** From where and with what. */
  readonly who: Pick<Asking, 'address' | 'device'>;
  /** The account that was named, or that somebody is signed in with. */
  readonly accountId?: number | undefined;
  /** An e-mail address that no account has, in lower case: only its keyed hash is stored. */
  readonly stranger?: string | undefined;
  /** The call, as in the contract. */
  readonly call?: string;
};

/** Refusals for the log: of one address and account one row per minute, with how many there were. */
export type Refusals = {
  /** Never waits and never fails: a refusal takes as long as it did. */
  note(refusal: Refusal): void;
  /** Stores what was noted. */
  close(): Promise<void>;
};

/** Of different ones that wait to be stored; of what is beyond only the address is kept, and then not even that. */
const MOST_WAITING = 1_000;
/** Rows of one minute: a flood from everywhere becomes one more. */
const MOST_ROWS = 1_000;

type Counted = readonly [network: string, action: string, accountId: number, stranger: string];

export function openRefusals(db: Database, hashKey: Buffer, warn: Warn): Refusals {
  let waiting = new Map<string, Refusal & { readonly counted: Counted; count: number }>();
  let running: Promise<void> | undefined;

  const countedAs = ({ action, who, accountId, stranger }: Refusal): Counted => {
    const hash = stranger && createHmac('sha256', hashKey).update(stranger).digest('hex').slice(0, 12);
    return [networkOf(who.address), action, accountId ?? 0, accountId === undefined ? (hash ?? '') : ''];
  };
  /** One statement at a time: what comes meanwhile is counted, and is the next. */
  async function store(): Promise<void> {
    while (waiting.size > 0) {
      const rows = [...waiting.values()];
      waiting = new Map();
      const column = <T>(of: (row: (typeof rows)[number]) => T): T[] => rows.map(of);
      await db
        .query(
          `insert into refusal as r (minute, network, action, account_id, stranger, address, device, call, count)
           select date_trunc('minute', now()), * from unnest(
             $1::text[], $2::text[], $3::integer[], $4::text[], $5::text[], $6::text[], $7::text[], $8::integer[]
           ) order by 2, 3, 4, 5
           on conflict (minute, network, action, account_id, stranger) do update set count = r.count + excluded.count`,
          [
            column(({ counted }) => counted[0]),
            column(({ counted }) => counted[1]),
            column(({ counted }) => counted[2]),
            column(({ counted }) => counted[3]),
            column(({ who }) => who.address),
            column(({ who }) => who.device),
            column(({ call }) => call ?? ''),
            column(({ count }) => count),
          ],
        )
        .catch((error: Error) => warn('Refusals are not in the log', error.message));
    }
  }

  return {
    note(refusal) {
      let counted = countedAs(refusal);
      if (waiting.size >= MOST_WAITING && !waiting.has(counted.join(' '))) {
        counted = [counted[0], counted[1], 0, ''];
        if (waiting.size >= 2 * MOST_WAITING) counted = ['', counted[1], 0, ''];
      }
      const key = counted.join(' ');
      const known = waiting.get(key);
      if (known) known.count += 1;
      else waiting.set(key, { ...refusal, counted, count: 1 });
      running ??= store().finally(() => {
        running = undefined;
      });
    },
    close: async () => running,
  };
}

/** Makes rows of the log of the refusals of minutes that are over. Safe to repeat. */
export async function settleRefusals(db: Database): Promise<void> {
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
       organization_id, data)
     select t.first_at, case when by.id is null then 'sign-in' end, by.id, by.organization_id, t.address, t.device, t.action, 'refusal',
       '', t.account_id, a.organization_id,
       jsonb_strip_nulls(jsonb_build_object(
         'count', t.count, 'stranger', nullif(t.stranger, ''), 'call', nullif(t.call, ''), 'others', nullif(t.others, 0)
       ))
     from told t
     left join account a on a.id = t.account_id
     -- Whoever calls has signed in; who tries to sign in may be anybody.
     left join account by on by.id = t.account_id and t.action = 'call.refuse'
     order by t.first_at
     returning ${TOLD}`,
    [MOST_ROWS],
  );
  announce(db, rows);
}
