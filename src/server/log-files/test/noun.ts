import {
  existingOrUnknownId,
  requestBySerialInPath,
  type TestedNoun,
} from '#server/test/security/principals/tested-noun.ts';

/** A stored log file of the logger of the machine of `user`. */
type PlantedLogFile = { readonly logFileId: string };

export const noun: TestedNoun<PlantedLogFile> = {
  permissions: `
                                           nobody user viewer manager logger-user admin technician other other-logger-user disabled deleted another-site limited today
GET /api/machine/empty-logs                401    403  403    403     403         200   200        403   403               401      401     200          403     403
GET /api/machine/log-file/:serial          401    403  403    403     403         200   200        403   403               401      401     200          403     403
GET /api/machine/log-file/:serial/:id      401    403  403    403     403         200   200        403   403               401      401     200          403     403
POST /api/machine/log-file/decode          401    403  403    403     403         200   200        403   403               401      401     403          403     403
POST /api/machine/log-file/upload (no log) 401    403  403    403     403         400   400        403   403               401      401     403          403     403
`,
  async plant({ pool }, { planted }) {
    const { rows } = await pool.query<{ id: string }>(
      `select o.id from object o join writer w using (logger_serial) join stream s on s.id = w.stream_id
       where s.serial = $1 and o.log_stored_at is not null and not o.is_withheld limit 1`,
      [planted.get('eigen')?.serial],
    );
    return { logFileId: rows[0]?.id as string };
  },
  requests: {
    'GET /api/machine/log-file/:serial': requestBySerialInPath,
    'GET /api/machine/log-file/:serial/:id': (target, world) => ({
      params: {
        serial: target.serial,
        id: String(existingOrUnknownId(target, world, () => world.logFileId)),
      },
    }),
    'POST /api/machine/log-file/decode': (target, world) => ({
      body: { serial: target.serial, id: String(existingOrUnknownId(target, world, () => world.logFileId)) },
    }),
    'POST /api/machine/log-file/upload (no log)': (target) => ({
      query: { serial: target.serial, name: 'foto.jpg' },
      headers: { 'content-type': 'application/octet-stream' },
      body: {},
    }),
  },
  loggedElsewhere: {
    'POST /api/machine/log-file/upload': ['log-file.upload', 'log-files/upload-log'],
  },
  rules: {
    'decode-again.long.pg.test.ts > 43.5': {
      'log-files-own-loggers': 'Log files of a machine are of its own loggers.',
      'log-files-present-owner': 'Log files of a machine are from the time of its present owner.',
    },
    'upload-log.pg.test.ts > 43.5': {
      'log-file-upload-bound': 'A log file is uploaded for a machine that its logger was bound to.',
    },
  },
  unplanted: ['import_progress', 'multipart_upload', 'part_chunk', 'reading_file', 'upload_part'],
};
