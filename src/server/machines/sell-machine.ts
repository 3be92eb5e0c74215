import { removeLabelsAtSale } from '#server/labels/labels.store.ts';
import { audit } from '#server/platform/audit.ts';
import { type Database, inTransaction, type Pool, type Transaction } from '#server/platform/database.ts';
import { invalidInputError, ProblemError } from '#server/platform/problem.ts';
import { countReadings } from '#server/streams/count-readings.ts';
import { currentWriter } from '#server/streams/current-writer.ts';
import { findStreamRow, lockStream, type StreamRow } from '#server/streams/find-stream.ts';
import { moveStream } from '#server/streams/streams.store.ts';
import { transferredName } from '#server/streams/transferred-name.ts';
import { requireNewKey } from '#server/writers/keys.store.ts';
import type { MachineSale } from '#shared/contract/machine-sale.ts';
import { ADMIN_ORGANIZATION } from '#shared/domain/access.ts';
import { dateAndTime } from '#shared/domain/nl.ts';
import { lockOwnerByName } from './create-machine.ts';

/** Input of a sale: `bedrijf` is the buyer's functional name, `at` an ISO time. */
type SaleInput = { readonly serial: string; readonly bedrijf: string; readonly at?: string | undefined };

/**
 * Returns the effects that a sale would have, without selling.
 * @throws ProblemError 400 for an unknown organization, the present owner, or an impossible time; 404 for an unknown machine
 */
export function previewSale(pool: Pool, input: SaleInput, now: Date): Promise<MachineSale> {
  return inTransaction(pool, async (client) => {
    const stream = await findStreamRow(client, input.serial, 'machine');
    const { at, buyerId, present } = await checkSale(client, stream, input, now);
    return {
      serialNumber: stream.serial,
      alias: stream.alias,
      seller: stream.organizationName,
      buyer: await displayName(client, buyerId),
      at: at.toISOString(),
      ownedSince: present?.toISOString() ?? null,
      reportName: transferredName(stream.id),
      kept: await countReadings(client, stream.id, { from: present?.getTime() ?? 0, to: at.getTime() }),
      given: await countReadings(client, stream.id, { from: at.getTime(), to: FAR }),
      ...(await countSaleEffects(client, stream.id, stream.organizationId, at)),
      loggerId: (await currentWriter(client, stream.id))?.loggerSerial ?? '',
    };
  });
}
const FAR = Date.UTC(9999, 0);

/**
 * Transfers a machine to another organization from the time of the sale on. Earlier measurements stay with the seller. The machine loses
 * its labels, and the seller's people lose it as a favourite. Database triggers end these people's charging mails (subscriptions/sql) and
 * the machine's assignments to projects (projects/sql).
 * @param from the functional name of the organization that the caller believes to be the present owner
 * @returns in Dutch what must be done with the logger
 * @throws ProblemError as previewSale; 409 if `from` is not the present owner
 */
export function sellMachine(
  pool: Pool,
  actor: string,
  input: SaleInput & { readonly from: string },
  now: Date,
): Promise<string> {
  return inTransaction(pool, async (client) => {
    const stream = await lockStream(client, input.serial, 'machine');
    if (stream.organization !== input.from)
      throw new ProblemError(
        'conflict',
        'De machine is intussen van een andere organisatie. Laad de pagina opnieuw.',
      );
    const { at, buyerId } = await checkSale(client, stream, input, now);
    const buyer = await displayName(client, buyerId);
    await moveStream(client, stream.id, buyerId, at);
    await removeLabelsAtSale(client, stream.id);
    const needsNewKey = /*rule:key-renewal-after-sale*/ await requireNewKey(
      client,
      stream.id,
      now,
    ) /*=false*/;
    await auditSale(client, actor, stream, buyer, at);
    return `Machine ${stream.serial} is vanaf ${dateAndTime(at.getTime())} van ${buyer}.${needsNewKey ? NEW_KEY_NEEDED : ''}`;
  });
}

const NEW_KEY_NEEDED =
  ' De vorige eigenaar kan de sleutel van de logger kennen: maak binnen 30 dagen een nieuwe configuratie en laad die in de logger.';

/** `present`: when the present owner got the machine; undefined: the present owner is its first owner. */
type Checked = { readonly at: Date; readonly buyerId: number; readonly present: Date | undefined };

async function checkSale(
  db: Transaction,
  { id, organizationId }: StreamRow,
  { bedrijf, at: text }: SaleInput,
  now: Date,
): Promise<Checked> {
  const buyerId = await lockOwnerByName(db, bedrijf);
  if (buyerId === organizationId) throw invalidInputError('De machine is al van deze organisatie.');
  const at = text === undefined ? now : readMoment(text);
  if (at > now)
    throw invalidInputError('Het moment van de verkoop ligt in de toekomst. Leg de verkoop dan vast.');
  const { rows } = await db.query<{ since: Date | null }>(
    `select nullif(valid_from, '-infinity') as since from ownership where stream_id = $1 and valid_to = 'infinity'`,
    [id],
  );
  const present = rows[0]?.since ?? undefined;
  if (present && at <= present) {
    const since = dateAndTime(present.getTime());
    throw invalidInputError(
      `De machine is pas sinds ${since} van de huidige eigenaar. Kies een later moment.`,
    );
  }
  return { at, buyerId, present };
}

function readMoment(text: string): Date {
  const at = new Date(text);
  if (!/^\d{4}-\d\d-\d\dT/.test(text) || Number.isNaN(at.getTime()))
    throw invalidInputError('Het moment van de verkoop is geen tijd.');
  return at;
}

async function displayName(db: Transaction, organizationId: number): Promise<string> {
  const { rows } = await db.query<{ clean: string }>('select clean from organization where id = $1', [
    organizationId,
  ]);
  return rows[0]?.clean ?? '';
}

/** Logs the sale at both organizations. Neither row names the other organization. */
async function auditSale(
  db: Transaction,
  actor: string,
  { id: streamId, serial: subject, organizationId, organizationName: seller }: StreamRow,
  buyer: string,
  at: Date,
): Promise<void> {
  const entry = { actor, subject, streamId, data: { soldAt: at.toISOString() } } as const;
  await audit(db, { ...entry, action: 'machine.leave', organizationId, aside: { movedTo: buyer } });
  await audit(db, { ...entry, action: 'machine.arrive', aside: { movedFrom: seller } });
}

/** Number of the seller's items that a sale ends or hides. */
type SaleEffects = Pick<
  MachineSale,
  'labels' | 'favourites' | 'subscribers' | 'projects' | 'rules' | 'maintenancePlans'
>;

/** Counts what ends if `organizationId` sells the machine at `at`: labels, favourites, subscriptions and so on. */
async function countSaleEffects(
  db: Database,
  streamId: number,
  organizationId: number,
  at: Date,
): Promise<SaleEffects> {
  const { rows } = await db.query<SaleEffects>(
    `select
       (select count(*)::int from machine_label where stream_id = $1) as labels,
       (select count(*)::int from favourite f join account a on a.id = f.account_id
        join organization o on o.id = a.organization_id where f.stream_id = $1 and o.name <> $4) as favourites,
       (select count(distinct r.account_id)::int from alert_rule r join account a on a.id = r.account_id
        where r.kind = 'charging' and r.ids[1] = $1 and a.organization_id = $2) as subscribers,
       (select coalesce(json_agg(distinct p.name), '[]') from assignment a join project p on p.id = a.project_id
        where a.stream_id = $1 and p.organization_id = $2 and p.deleted_at is null and a.valid_to > $3) as projects,
       (select count(*)::int from alert_rule where organization_id = $2 and kind <> 'charging' and machines = 'chosen'
        and $1 = any (ids)) as rules,
       (select count(*)::int from maintenance_plan where stream_id = $1 and organization_id = $2) as maintenance_plans`,
    [streamId, organizationId, at, ADMIN_ORGANIZATION],
  );
  return rows[0] as SaleEffects;
}
