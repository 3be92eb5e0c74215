import { nearestContacts } from '#server/contacts/nearest.ts';
import type { Database } from '#server/platform/database.ts';
import { limitOf } from '#server/platform/limits.ts';
import { readScope } from '#server/projects/limited-scope.ts';
import { seenBy, seenIn } from '#server/streams/scope.ts';
import type { NearestContact } from '#shared/contract/contacts.ts';
import type { Battery } from '#shared/contract/machine-fields.ts';
import type { Principal } from '#shared/domain/access.ts';
import type { AlertKind } from '#shared/domain/alerts/kinds.ts';
import type { ChargingEvent } from '#shared/domain/charging-events.ts';
import { type ChargingData, spanOf } from './charging-alerts.ts';
import { lastKnownOf } from './last-known.ts';
import { placesOf } from './places.ts';
import { presentMoves } from './present-moves.ts';
import { SUBJECT } from './record.ts';
import { isInLimit, seenAlerts, seenAlertsBy } from './seen-alerts.ts';

/** What a message says, at the moment that it is sent. */

export type News = {
  readonly alertId: string;
  readonly step: 'opened' | 'further-1' | 'further-10' | 'closed' | 'withdrawn';
  readonly kind: AlertKind;
  readonly isUrgent: boolean;
  readonly ruleName: string;
  /** null: of many at once, or of what `subject` or the kind says. */
  readonly machine: { readonly serial: string; readonly alias: string } | null;
  readonly subject: string | null;
  readonly words: string;
  readonly since: Date;
  readonly until: Date | null;
  /** The message by which its beginning was told. */
  readonly thread: string | null;
  /** Of what is told as a list per place: where the machine is, as far as the reader may know. */
  readonly place?: string;
  /** The reader sees on the map where the machine is now. */
  readonly isOnMap?: boolean;
  /** Last known facts of a silent machine, in sentences. */
  readonly lastKnown?: readonly string[];
  /** Whom to call about the machine of an open alert, as far as the reader may see contacts. */
  readonly contact?: NearestContact;
};

export type MessageNews = {
  readonly accountId: number;
  readonly to: string;
  /** It was sent before. */
  readonly isSent: boolean;
  /** The most urgent first. */
  readonly news: readonly News[];
};

export type Charging = {
  readonly streamId: number;
  readonly machine: {
    readonly serial: string;
    readonly alias: string;
    readonly brand: string;
    readonly model: string;
    readonly batteries: readonly Battery[];
  };
  readonly event: Omit<ChargingEvent, 'soc'>;
};

const { isSeen, until: UNTIL } = seenAlerts('$6', '$7');

/** Alerts that one message describes one by one. */
export const MOST_DESCRIBED = 50;

/** undefined: the account is gone, its organization switched off, or its address nobody's any more. */
export async function newsOf(db: Database, messageId: string, now: number): Promise<MessageNews | undefined> {
  const { rows: accounts } = await db.query<Principal & { accountId: number; to: string; isSent: boolean }>(
    `select a.id as "accountId", a.email as to, m.sent_at is not null as "isSent", o.id as "organizationId",
       o.name as organization, o.is_berende as "isLmbCustomer", a.role, o.privacy, ${limitOf('a')} as "limit"
     from alert_message m join account a on a.id = m.account_id join organization o on o.id = a.organization_id and o.is_active
     where m.id = $1 and (m.channel = 'push' or a.confirmed_at is not null)`,
    [messageId],
  );
  const [account] = accounts;
  if (!account) return undefined;
  const scope = await readScope(db, account, now);
  const { rows: news } = await db.query<Row>(
    `select x.id as "alertId", x.stream_id as "streamId", x.organization_id as "organizationId", b.step, x.kind, x.severity = 'urgent' as "isUrgent", r.name as "ruleName", x.words, x.since,
       ${UNTIL} as until, ${SUBJECT} as subject, case when s.id is not null then jsonb_build_object('serial', s.serial, 'alias', s.alias) end as machine,
       (select t.message_id from alert_outbox t where t.alert_id = x.id and t.account_id = b.account_id
          and t.channel = b.channel and t.step = 'opened' and t.message_id <> $3) as thread
     from alert_outbox b join alert x on x.id = b.alert_id join alert_rule r on r.id = x.rule_id
       left join ${seenIn(scope)} on s.id = x.stream_id
         and ($2::integer[] is null or s.organization_id = x.organization_id and s.owned_since <= x.at)
     where b.message_id = $3 and /*rule:notification-organization*/ r.organization_id = $4 /*=$4::int > 0*/
       and (x.stream_id is null or s.id is not null)
       and (b.step = 'withdrawn' or x.withdrawn_at is null) and (b.step not like 'further%' or x.until is null)
       and ${isInLimit(scope)} and ${isSeen} and (b.step <> 'closed' or ${UNTIL} is not distinct from x.until)
       and not exists (select from alert_mute m where m.account_id = b.account_id and m.until > $5
         and (m.rule_id = x.rule_id or m.stream_id = x.stream_id))
     order by x.severity = 'urgent' desc, b.step not in ('closed', 'withdrawn') desc, x.at, s.alias, x.id`,
    [
      ...seenBy(scope, ['machine']),
      messageId,
      account.organizationId,
      new Date(now),
      ...seenAlertsBy(scope, now),
    ],
  );
  const { accountId, to, isSent, role } = account;
  const open = news.flatMap(({ streamId, organizationId, step }) =>
    streamId !== null && step !== 'closed' && step !== 'withdrawn' ? [{ streamId, organizationId }] : [],
  );
  const contacts = await nearestContacts(db, { role, scope }, open, now);
  const silent = news.slice(0, MOST_DESCRIBED).filter(isSilence);
  const lastKnown = await lastKnownOf(
    db,
    scope,
    silent.flatMap(({ streamId }) => streamId ?? []),
    now,
  );
  const listed = news.flatMap(({ streamId, ...one }) =>
    streamId !== null && isPerPlace(one) ? [streamId] : [],
  );
  const places = await placesOf(db, scope, listed, now);
  const moving = news.flatMap((one) => (isMove(one) && one.streamId !== null ? [one.streamId] : []));
  const moves = await presentMoves(db, scope, moving, now);
  return {
    accountId,
    to,
    isSent,
    news: news.flatMap(({ streamId, organizationId: _, ...row }) => {
      const contact = contacts.get(streamId ?? 0);
      const known = isSilence(row) ? lastKnown.get(streamId ?? 0) : undefined;
      const isOpen = row.step !== 'closed' && row.step !== 'withdrawn';
      const one: News = { ...row, ...(isOpen && contact && { contact }), ...(known && { lastKnown: known }) };
      if (isPerPlace(one)) return [{ ...one, place: places.get(streamId ?? 0) ?? UNKNOWN_PLACE }];
      if (!isMove(one)) return [one];
      const words = moves.get(streamId ?? 0);
      // How far it is by now is for who sees where it is by now.
      if (words === undefined) return isFurther(one) ? [] : [one];
      return one.until === null ? [{ ...one, words, isOnMap: true }] : [{ ...one, isOnMap: true }];
    }),
  };
}

type Row = News & { readonly streamId: number | null; readonly organizationId: number };

/** Whether a message says what is last known of the machine. */
const isSilence = ({ kind, step }: Pick<News, 'kind' | 'step'>): boolean =>
  (kind === 'silent' || kind === 'unseen') && step === 'opened';
const isFurther = ({ step }: Pick<News, 'step'>): boolean => step === 'further-1' || step === 'further-10';
/** A move whose text has the present distance and place. */
const isMove = ({ kind, step }: Pick<News, 'kind' | 'step'>): boolean =>
  kind === 'moved' && step !== 'closed' && step !== 'withdrawn';

/** One goes from place to place with it. */
const isPerPlace = ({ kind, step }: Pick<News, 'kind' | 'step'>): boolean =>
  kind === 'not-full' && step === 'opened';
const UNKNOWN_PLACE = 'Plaats niet bekend';

/** What a letter about charging tells; undefined: it is gone. */
export async function chargingOf(db: Database, alertId: string): Promise<Charging | undefined> {
  const { rows } = await db.query<
    Charging['machine'] & { streamId: number; since: Date; until: Date; at: Date; data: ChargingData }
  >(
    `select s.id as "streamId", s.serial, s.alias, m.brand, m.model, m.batteries, x.since, x.until, x.at, x.data
     from alert x join stream s on s.id = x.stream_id join machine m on m.stream_id = s.id where x.id = $1`,
    [alertId],
  );
  if (!rows[0]) return undefined;
  const { streamId, since, until, at, data, ...machine } = rows[0];
  const { kind, signals } = data;
  return { streamId, machine, event: { kind, ...spanOf(since, until), knownAt: at.getTime(), signals } };
}
