import {
  requestBySerial,
  requestBySerialInPath,
  type TestedNoun,
} from '#server/test/security/principals/tested-noun.ts';

/** A quarantined upload whose readings can be adopted. */
type PlantedQuarantine = { readonly quarantinedId: number };

export const noun: TestedNoun<PlantedQuarantine> = {
  permissions: `
                                                   nobody user viewer manager logger-user admin technician other other-logger-user disabled deleted another-site limited today
GET /api/machine/writer/create                     401    403  403    403     403         200   200        403   403               401      401     403          403     403    no-head
POST /api/machine/writer/key                       401    403  403    403     403         200   200        403   403               401      401     403          403     403    proof
POST /api/machine/writer/key (withdrawing the old) 401    403  403    403     403         200   200        403   403               401      401     403          403     403    proof
POST /api/machine/writer/take-over                 401    403  403    403     403         200   200        403   403               401      401     403          403     403
POST /api/machine/writer/network                   401    403  403    403     403         200   200        403   403               401      401     403          403     403
GET /api/machine/writer/health/:serial             401    403  403    403     403         200   200        403   403               401      401     200          403     403
GET /api/machine/writer/unknown                    401    403  403    403     403         200   200        403   403               401      401     200          403     403
GET /api/machine/writer/keys-to-replace            401    403  403    403     403         200   200        403   403               401      401     200          403     403
GET /api/machine/writer/old-addresses              401    403  403    403     403         200   200        403   403               401      401     200          403     403
GET /api/machine/config/create                     401    403  403    403     403         200   200        403   403               401      401     403          403     403    no-head
GET /api/machine/config/download                   401    403  403    403     403         200   200        403   403               401      401     403          403     403    no-head
POST /api/machine/writer/release                   401    403  403    403     403         200   200        403   403               401      401     403          403     403    proof
POST /api/machine/writer/move                      401    403  403    403     403         200   200        403   403               401      401     403          403     403    proof
POST /api/machine/writer/replace                   401    403  403    403     403         200   200        403   403               401      401     403          403     403    proof
POST /api/machine/writer/take-back                 401    403  403    403     403         200   200        403   403               401      401     403          403     403    proof
`,
  /** Plants a quarantined upload of the logger of `user`'s machine, whose readings belong to another organization's machine. */
  async plant({ pool }, { a, planted }) {
    const time = new Date(Math.floor(a.fleet.clock / 1000) * 1000 - 60_000);
    const body = Buffer.from(JSON.stringify({ GMT_UNIX: time.getTime() / 1000, Soc1: 1 }));
    const { rows } = await pool.query<{ id: string }>(
      `insert into quarantine (logger_serial, key, reason, size, body, held_from, held_to, held_count)
       values ($1, $2, '[]', $3, $4, $5, $5, 1) returning id`,
      [planted.get('eigen')?.logger.loggerSerial, 'kanarie-snapshot.json', body.length, body, time],
    );
    return { quarantinedId: Number(rows[0]?.id) };
  },
  requests: {
    'GET /api/machine/writer/create': (target) => ({
      query: { serienummer: target.serial, influxserienummer: '7101001' },
    }),
    'POST /api/machine/writer/key': requestBySerial,
    'POST /api/machine/writer/key (withdrawing the old)': (target) => ({
      body: { serial: target.serial, withdraw: true },
    }),
    'POST /api/machine/writer/take-over': (target, world) => ({
      body: { serial: target.serial, id: world.quarantinedId },
    }),
    'POST /api/machine/writer/network': (target) => ({ body: { serial: target.serial, kind: 'mobile' } }),
    'GET /api/machine/writer/health/:serial': requestBySerialInPath,
    'GET /api/machine/config/create': (target) => ({ query: { serienummer: target.serial } }),
    'GET /api/machine/config/download': (target) => ({ query: { serienummer: target.serial } }),
    'POST /api/machine/writer/release': requestBySerial,
    'POST /api/machine/writer/move': (target) => ({
      body: { serial: target.serial, influx_serial: '7102002', from: 'KANARIE-ANDER-1' },
    }),
    'POST /api/machine/writer/replace': (target) => ({
      body: { serial: target.serial, influx_serial: '7109009', replaces: '7102002' },
    }),
    'POST /api/machine/writer/take-back': (target) => ({ body: { serial: target.serial, id: 1 } }),
  },
  loggedElsewhere: {
    'GET /api/machine/writer/create': ['writer.create', 'writers/bind-logger'],
  },
  fields: {
    simPin: { good: ['1234', ''] },
  },
  administration: ['logger_network', 'writer'],
  rules: {
    'sold-logger.long.pg.test.ts': {
      'reading-before-sale': 'A key issued after a sale writes no reading from before the sale.',
      'objects-former-owner': 'A logger lists no objects from the time of a former owner.',
      'key-renewal-after-sale': 'A sale requires a new key for the logger.',
      'key-overdue': 'Readings signed with an overdue key are quarantined.',
    },
  },
  unplanted: ['former_logger'],
};
