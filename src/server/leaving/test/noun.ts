import { validMachineForm } from '#server/machines/test/administration.ts';
import { requireSuccess } from '#server/test/security/principals/planted.ts';
import type { TestedNoun } from '#server/test/security/principals/tested-noun.ts';

/** The planted machine: owned by kanarie-weg, then by kanarie-vertrekt, and by kanarie-weg again. */
type PlantedLeaving = {
  readonly soldSerial: string;
  /** Id of the period in which kanarie-vertrekt owned the machine. */
  readonly formerPeriodId: number;
};

export const noun: TestedNoun<PlantedLeaving> = {
  permissions: `
                                  nobody user viewer manager logger-user admin technician other other-logger-user disabled deleted another-site limited today
GET /api/organization/leaving     401    403  403    403     403         200   403        403   403               401      401     200          403     403
GET /api/organization/leave       401    403  403    403     403         200   403        403   403               401      401     200          403     403
POST /api/organization/leave      401    403  403    403     403         200   403        403   403               401      401     403          403     403    proof
POST /api/organization/leave/undo 401    403  403    403     403         200   403        403   403               401      401     403          403     403
GET /api/machine/periods          401    403  403    403     403         200   403        403   403               401      401     200          403     403
POST /api/machine/periods/erase   401    403  403    403     403         200   403        403   403               401      401     403          403     403    proof
`,
  /** Creates an organization to delete (kanarie-weg), and one whose deletion can be undone (kanarie-vertrekt). */
  async plant({ pool, organization }, { a }) {
    for (const name of ['kanarie-weg', 'kanarie-vertrekt']) await organization(name);
    const soldSerial = 'VERKOCHT-1';
    await requireSuccess(a.create(soldSerial, { ...validMachineForm(soldSerial), bedrijf: 'kanarie-weg' }));
    await requireSuccess(a.sell(soldSerial, 'kanarie-vertrekt', { from: 'kanarie-weg' }));
    a.fleet.clock += 1_000;
    await requireSuccess(a.sell(soldSerial, 'kanarie-weg', { from: 'kanarie-vertrekt' }));
    const body = { name: 'kanarie-vertrekt', confirm: 'kanarie-vertrekt BV', isFinal: false };
    await requireSuccess(a.call('POST /api/organization/leave', { body }));
    const { rows } = await pool.query<{ id: number; streamId: number }>(
      `select w.id, w.stream_id as "streamId" from ownership w join stream s on s.id = w.stream_id
       where s.serial = $1 order by w.valid_from`,
      [soldSerial],
    );
    const [first, second] = rows;
    await pool.query('insert into erased_period (ownership_id, erased_at) values ($1, now())', [first?.id]);
    await pool.query('insert into erased_hours (stream_id, until, running_ms) values ($1, now(), 0)', [
      first?.streamId,
    ]);
    return { soldSerial, formerPeriodId: second?.id as number };
  },
  requests: {
    'GET /api/organization/leave': () => ({ query: { name: 'kanarie-vertrekt' } }),
    'POST /api/organization/leave': () => ({
      body: { name: 'kanarie-weg', confirm: 'kanarie-weg BV', isFinal: false },
    }),
    'POST /api/organization/leave/undo': () => ({ body: { name: 'kanarie-vertrekt' } }),
    'GET /api/machine/periods': (_, world) => ({ query: { serial: world.soldSerial } }),
    'POST /api/machine/periods/erase': (_, world) => ({
      body: { serial: world.soldSerial, _id: world.formerPeriodId },
    }),
  },
  administration: ['erased_hours'],
};
