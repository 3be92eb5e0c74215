import type { Administration } from '#server/machines/test/administration.ts';
import { formOf } from '#server/machines/test/administration.ts';
import { good } from './planted.ts';

/** An organization to delete, one whose deletion can be undone, and a machine that the first organization sold. */
export type PlantedLeaving = {
  readonly soldSerial: string;
  /** Id of the period in which the former owner had the machine. */
  readonly formerPeriodId: number;
};

export async function plantLeaving(a: Administration): Promise<PlantedLeaving> {
  for (const name of ['kanarie-weg', 'kanarie-vertrekt']) await a.portal.organization(name);
  const soldSerial = 'VERKOCHT-1';
  await good(a.create(soldSerial, { ...formOf(soldSerial), bedrijf: 'kanarie-weg' }));
  await good(a.sell(soldSerial, 'kanarie-vertrekt', { from: 'kanarie-weg' }));
  a.fleet.clock += 1_000;
  await good(a.sell(soldSerial, 'kanarie-weg', { from: 'kanarie-vertrekt' }));
  const body = { name: 'kanarie-vertrekt', confirm: 'kanarie-vertrekt BV', isFinal: false };
  await good(a.call('POST /api/organization/leave', { body }));
  const { rows } = await a.portal.pool.query<{ id: number; streamId: number }>(
    `select w.id, w.stream_id as "streamId" from ownership w join stream s on s.id = w.stream_id
     where s.serial = $1 order by w.valid_from`,
    [soldSerial],
  );
  const [first, second] = rows;
  await a.portal.pool.query('insert into erased_period (ownership_id, erased_at) values ($1, now())', [
    first?.id,
  ]);
  await a.portal.pool.query('insert into erased_hours (stream_id, until, running_ms) values ($1, now(), 0)', [
    first?.streamId,
  ]);
  return { soldSerial, formerPeriodId: second?.id as number };
}
