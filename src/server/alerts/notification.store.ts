import { nearestContacts } from '#server/contacts/nearest.ts';
import type { Database } from '#server/platform/database.ts';
import { accessLimitSql } from '#server/platform/limits.ts';
import { readScope } from '#server/projects/limited-scope.ts';
import { visibleStreamsParameters, visibleStreamsSql } from '#server/streams/scope.ts';
import type { NearestContact } from '#shared/contract/contacts.ts';
import type { Battery } from '#shared/contract/machine-fields.ts';
import type { Principal } from '#shared/domain/access.ts';
import { alertText } from '#shared/domain/alerts/evaluations.ts';
import type { ChargingFigures } from '#shared/domain/alerts/kinds/charging.ts';
import type { AlertFigures } from '#shared/domain/alerts/kinds/kind.ts';
import {
  type AlertKind,
  factRequiredByKind,
  isSilenceKind,
  showsPresentPosition,
} from '#shared/domain/alerts/kinds.ts';
import type { ChargingEvent } from '#shared/domain/charging-events.ts';
import { eventSpan } from './charging-alerts.ts';
import { readLastKnownSentences } from './last-known.ts';
import { readPlaceTexts } from './places.ts';
import { readPresentMoveTexts } from './present-moves.ts';
import { ALERT_FIGURES_SQL, ALERT_SUBJECT_SQL } from './record-alerts.ts';
import { alertInAccessLimitSql, visibleAlertsParameters, visibleAlertsSql } from './seen-alerts.ts';

/** Loads the content of a notification at the moment that it is sent. */

export type NotificationItem = {
  readonly alertId: string;
  readonly step: 'opened' | 'further-1' | 'further-10' | 'closed' | 'withdrawn';
  readonly kind: AlertKind;
  readonly isUrgent: boolean;
  readonly ruleName: string;
  /** null if the alert is about many machines or about `subject`, or if its kind says what it is about. */
  readonly machine: { readonly serial: string; readonly alias: string } | null;
  readonly subject: string | null;
  readonly words: string;
  readonly since: Date;
  readonly until: Date | null;
  /** Id of the message that notified of the alert's opening. */
  readonly thread: string | null;
  /** Present place of the machine, as far as the reader may know it; only for items that are listed per place. */
  readonly place?: string;
  /** Whether the reader sees on the map where the machine is now. */
  readonly isOnMap?: boolean;
  /** Last known facts of a silent machine, in sentences. */
  readonly lastKnown?: readonly string[];
  /** The contact of the machine of an open alert, as far as the reader may see contacts. */
  readonly contact?: NearestContact;
};

export type Notification = {
  readonly accountId: number;
  readonly to: string;
  /** Whether the message was sent before. */
  readonly isSent: boolean;
  /** The most urgent first. */
  readonly items: readonly NotificationItem[];
};

export type ChargingMailContent = {
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

const { isSeen, until: UNTIL } = visibleAlertsSql('$6', '$7');

/** Maximum number of alerts that one message describes. */
export const MAX_ALERTS_PER_MESSAGE = 50;

/**
 * Loads a message with the alerts that its reader may still see; undefined: the account was deleted, its organization is disabled, or its
 * address is not confirmed.
 */
export async function loadNotification(
  db: Database,
  messageId: string,
  now: number,
): Promise<Notification | undefined> {
  const { rows: accounts } = await db.query<Principal & { accountId: number; to: string; isSent: boolean }>(
    `select a.id as account_id, a.email as to, m.sent_at is not null as is_sent, o.id as organization_id,
       o.name as organization, o.is_berende as is_lmb_customer, a.role, o.privacy, ${accessLimitSql('a')} as "limit"
     from alert_message m join account a on a.id = m.account_id join organization o on o.id = a.organization_id and o.is_active
     where m.id = $1 and (m.channel = 'push' or a.confirmed_at is not null)`,
    [messageId],
  );
  const [account] = accounts;
  if (!account) return undefined;
  const scope = await readScope(db, account, now);
  const { rows: items } = await db.query<Row>(
    `select x.id as alert_id, x.stream_id, x.organization_id, b.step, x.kind, x.severity = 'urgent' as is_urgent, r.name as rule_name, ${ALERT_FIGURES_SQL} as figures, x.since,
       ${UNTIL} as until, ${ALERT_SUBJECT_SQL} as subject, case when s.id is not null then jsonb_build_object('serial', s.serial, 'alias', s.alias) end as machine,
       (select t.message_id from alert_outbox t where t.alert_id = x.id and t.account_id = b.account_id
          and t.channel = b.channel and t.step = 'opened' and t.message_id <> $3) as thread
     from alert_outbox b join alert x on x.id = b.alert_id join alert_rule r on r.id = x.rule_id
       left join ${visibleStreamsSql(scope)} on s.id = x.stream_id
         and ($2::integer[] is null or s.organization_id = x.organization_id and s.owned_since <= x.at)
     where b.message_id = $3 and /*rule:notification-organization*/ r.organization_id = $4 /*=$4::int > 0*/
       and (x.stream_id is null or s.id is not null)
       and (b.step = 'withdrawn' or x.withdrawn_at is null) and (b.step not like 'further%' or x.until is null)
       and ${alertInAccessLimitSql(scope)} and ${isSeen} and (b.step <> 'closed' or ${UNTIL} is not distinct from x.until)
       and not exists (select from alert_mute m where m.account_id = b.account_id and m.until > $5
         and (m.rule_id = x.rule_id or m.stream_id = x.stream_id))
     order by x.severity = 'urgent' desc, b.step not in ('closed', 'withdrawn') desc, x.at, s.alias, x.id`,
    [
      ...visibleStreamsParameters(scope, ['machine']),
      messageId,
      account.organizationId,
      new Date(now),
      ...visibleAlertsParameters(scope, now),
    ],
  );
  const { accountId, to, isSent, role } = account;
  const open = items.flatMap(({ streamId, organizationId, step }) =>
    streamId !== null && step !== 'closed' && step !== 'withdrawn' ? [{ streamId, organizationId }] : [],
  );
  const contacts = await nearestContacts(db, { role, scope }, open, now);
  const silent = items.slice(0, MAX_ALERTS_PER_MESSAGE).filter(showsLastKnown);
  const lastKnown = await readLastKnownSentences(
    db,
    scope,
    silent.flatMap(({ streamId }) => streamId ?? []),
    now,
  );
  const listed = items.flatMap(({ streamId, ...one }) =>
    streamId !== null && isPerPlace(one) ? [streamId] : [],
  );
  const places = await readPlaceTexts(db, scope, listed, now);
  const moving = items.flatMap((one) => (isMove(one) && one.streamId !== null ? [one.streamId] : []));
  const moves = await readPresentMoveTexts(db, scope, moving, now);
  return {
    accountId,
    to,
    isSent,
    items: items.flatMap(({ streamId, organizationId: _, figures, ...row }) => {
      const contact = contacts.get(streamId ?? 0);
      const known = showsLastKnown(row) ? lastKnown.get(streamId ?? 0) : undefined;
      const isOpen = row.step !== 'closed' && row.step !== 'withdrawn';
      const one: NotificationItem = {
        ...row,
        words: alertText(row.kind, figures),
        ...(isOpen && contact && { contact }),
        ...(known && { lastKnown: known }),
      };
      if (isPerPlace(one)) return [{ ...one, place: places.get(streamId ?? 0) ?? UNKNOWN_PLACE }];
      if (!isMove(one)) return [one];
      const words = moves.get(streamId ?? 0);
      // Readers who do not see where the machine is now get the text of the opening, and no message that the machine went further.
      if (words === undefined) return isFurther(one) ? [] : [one];
      return one.until === null ? [{ ...one, words, isOnMap: true }] : [{ ...one, isOnMap: true }];
    }),
  };
}

type Row = Omit<NotificationItem, 'words'> & {
  readonly streamId: number | null;
  readonly organizationId: number;
  readonly figures: AlertFigures;
};

/** Whether a message contains the last known facts of the machine. */
const showsLastKnown = ({ kind, step }: Pick<NotificationItem, 'kind' | 'step'>): boolean =>
  isSilenceKind(kind) && step === 'opened';
const isFurther = ({ step }: Pick<NotificationItem, 'step'>): boolean =>
  step === 'further-1' || step === 'further-10';
/** Whether the text has the present distance and place. */
const isMove = ({ kind, step }: Pick<NotificationItem, 'kind' | 'step'>): boolean =>
  showsPresentPosition(kind) && step !== 'closed' && step !== 'withdrawn';

/** Whether the message lists the item per place: the reader visits one place after another. */
const isPerPlace = ({ kind, step }: Pick<NotificationItem, 'kind' | 'step'>): boolean =>
  factRequiredByKind(kind) === 'forecast' && step === 'opened';
const UNKNOWN_PLACE = 'Plaats niet bekend';

/** Loads the content of a charging mail; undefined: the alert was deleted. */
export async function loadChargingMail(
  db: Database,
  alertId: string,
): Promise<ChargingMailContent | undefined> {
  const { rows } = await db.query<
    ChargingMailContent['machine'] & {
      streamId: number;
      since: Date;
      until: Date;
      at: Date;
      figures: ChargingFigures;
    }
  >(
    `select s.id as stream_id, s.serial, s.alias, m.brand, m.model, m.batteries, x.since, x.until, x.at, x.data as figures
     from alert x join stream s on s.id = x.stream_id join machine m on m.stream_id = s.id where x.id = $1`,
    [alertId],
  );
  if (!rows[0]) return undefined;
  const { streamId, since, until, at, figures, ...machine } = rows[0];
  const { kind, signals } = figures;
  return { streamId, machine, event: { kind, ...eventSpan(since, until), knownAt: at.getTime(), signals } };
}
