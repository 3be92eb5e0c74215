import type { Edit, Rule } from '../rule.ts';

const DOOR = 'src/server/door/door.ts';
const SIGV4 = 'src/server/door/sigv4.ts';
const CHUNKS = 'src/server/door/chunk-signatures.ts';
const RECEIVE = 'src/server/door/receive.ts';
const OBJECTS = 'src/server/telemetry/objects.store.ts';
const DIRECTORY = 'src/server/telemetry/directory.ts';
const WRITERS = 'src/server/writers/writers.store.ts';

const DOOR_TEST = ['src/server/door/door.test.ts'];
const SIGV4_TEST = ['src/server/door/sigv4.test.ts'];
const CHUNKS_TEST = ['src/server/door/chunk-signatures.test.ts'];
const TABLE_TEST = ['src/server/security/principals/door.pg.test.ts'];
const KEYS_TEST = ['src/server/telemetry/upload-keys.pg.test.ts'];
const MOVING_TEST = ['src/server/telemetry/moving-loggers.pg.test.ts'];
const OBJECTS_TEST = ['src/server/telemetry/stored-objects.pg.test.ts'];
const DELETE_TEST = ['src/server/machines/delete-machine.pg.test.ts'];

const ANYBODY = '$1::text is not null';
const ANY_FOLDER: Edit = [
  DOOR,
  "if (!isInOwnFolder(key, credential.loggerSerial)) throw new S3Error('AccessDenied');",
  '',
];

/** Who may bring and fetch what at the upload door, and where it goes. */
export const door: readonly Rule[] = [
  {
    rule: 'door: nothing without a signature',
    out: [[DOOR, "if (!authorization) throw new S3Error('AccessDenied');", '']],
    tests: TABLE_TEST,
  },
  {
    rule: 'door: nothing with an unknown key',
    out: [[DOOR, "if (!credential) throw new S3Error('InvalidAccessKeyId');", '']],
    tests: DOOR_TEST,
  },
  {
    rule: 'door: the signature is the secret’s',
    out: [[SIGV4, "if (!isSignature(key, text, signature)) throw new S3Error('SignatureDoesNotMatch');", '']],
    tests: DOOR_TEST,
  },
  {
    rule: 'door: a signature is of the last 15 minutes',
    out: [
      [
        SIGV4,
        "if (Math.abs(now - time.ms) > LARGEST_SKEW_MS) throw new S3Error('RequestTimeTooSkewed');",
        '',
      ],
    ],
    tests: DOOR_TEST,
  },
  {
    rule: 'door: host and x-amz headers are signed',
    out: [[SIGV4, 'requireSigned(headers, authorization.signedHeaders);', '']],
    tests: SIGV4_TEST,
  },
  {
    rule: 'door: a signature is for S3',
    out: [[SIGV4, "if (authorization.service !== 's3') {", "if (authorization.service === '') {"]],
    tests: SIGV4_TEST,
  },
  {
    rule: 'door: a signing key is of the day of the request',
    out: [[SIGV4, 'if (!time.timestamp.startsWith(date)) {', "if (date === '') {"]],
    tests: SIGV4_TEST,
  },
  {
    rule: 'door: every chunk is signed',
    out: [
      [
        CHUNKS,
        "if (!isSignature(key, text, signature))\n      throw new S3Error('SignatureDoesNotMatch', 'A chunk signature is wrong.');",
        '',
      ],
    ],
    tests: CHUNKS_TEST,
  },
  {
    rule: 'door: the body is the one that was signed',
    out: [
      [
        RECEIVE,
        'const computed = verifyChecksum(checksum, vessel);',
        'const computed = vessel.digest(checksum.name);',
      ],
    ],
    tests: ['src/server/door/door-bodies.test.ts'],
  },
  { rule: 'door: only into and out of one’s own folder', out: [ANY_FOLDER], tests: TABLE_TEST },
  {
    rule: 'door: a folder is of the very serial number',
    out: [['src/server/door/s3-request.ts', '.endsWith(`_SN', '.includes(`']],
    tests: ['src/server/door/s3-request.test.ts'],
  },
  {
    rule: 'door: loggers delete nothing',
    out: [[DOOR, "throw new S3Error('AccessDenied', 'Loggers cannot delete.');", 'return;']],
    tests: TABLE_TEST,
  },
  {
    rule: 'door: a list is of one’s own objects',
    out: [
      [
        OBJECTS,
        'where logger_serial = $1 and starts_with(key, $2)',
        `where ${ANYBODY} and starts_with(key, $2)`,
      ],
    ],
    tests: TABLE_TEST,
  },
  {
    rule: 'door: one’s own object, without its content',
    out: [
      [
        OBJECTS,
        `select \${COLUMNS} from object where logger_serial = $1 and key = $2`,
        `select \${COLUMNS} from object where ${ANYBODY} and key = $2`,
      ],
    ],
    tests: TABLE_TEST,
  },
  {
    rule: 'door: one’s own object, with its content',
    out: [
      [
        OBJECTS,
        `select \${COLUMNS}, body from object where logger_serial = $1 and key = $2`,
        `select \${COLUMNS}, body from object where ${ANYBODY} and key = $2`,
      ],
    ],
    tests: TABLE_TEST,
  },
  {
    rule: 'door: nothing of what a logger brought for another machine',
    out: [
      [
        OBJECTS,
        "const OF_THIS_BINDING = `modified_at >= (select created_at from writer where logger_serial = $1 and valid_to = 'infinity')`;",
        'const OF_THIS_BINDING = `$1::text is not null`;',
      ],
    ],
    tests: OBJECTS_TEST,
  },
  {
    rule: 'keys: a withdrawn one opens nothing',
    out: [
      [DIRECTORY, 'where k.access_key = any ($1) and k.retired_at is null', 'where k.access_key = any ($1)'],
    ],
    tests: KEYS_TEST,
  },
  {
    rule: 'keys: what is remembered of them is forgotten when it changes',
    out: [[DIRECTORY, 'for (const map of [keys, bindings, definitions]) map.clear();', '']],
    tests: KEYS_TEST,
  },
  {
    rule: 'keys: one that is withdrawn during an upload stores nothing',
    out: [
      [
        'src/server/telemetry/door-world.ts',
        "if (!key) throw new DoorUnavailable('The key was withdrawn.');",
        '',
      ],
      [
        'src/server/telemetry/door-world.ts',
        'const key = await unavailableAsSuch(directory.key(delivery.credential.accessKey));',
        'const key = delivery.credential as LoggerKey;',
      ],
    ],
    tests: TABLE_TEST,
  },
  {
    rule: 'keys: they end with the binding',
    out: [
      [
        WRITERS,
        'where writer_id = any($1) and retired_at is null',
        'where writer_id = any($1) and retired_at is null and false',
      ],
    ],
    tests: TABLE_TEST,
  },
  {
    rule: 'keys: the older ones end with the first use of a new one',
    out: [
      [
        'src/server/writers/sql/note-key-use.sql',
        'update writer_key set retired_at = now()\n      where writer_id = used.writer_id',
        'update writer_key set retired_at = now()\n      where false and writer_id = used.writer_id',
      ],
    ],
    tests: TABLE_TEST,
  },
  {
    rule: 'keys: those of a deleted machine end',
    out: [['src/server/machines/delete-machine.ts', 'await releaseWriter(db, streamId, at);', '']],
    tests: TABLE_TEST,
  },
  {
    rule: 'readings: they go to what the logger was bound to then',
    out: [[DIRECTORY, 'bindings.find(({ from, to }) => from <= time && time < to)', 'bindings.at(-1)']],
    tests: MOVING_TEST,
  },
  {
    rule: 'readings: of a removed machine’s time they are nobody else’s',
    out: [
      [
        WRITERS,
        "coalesce((select until from former_logger where logger_serial = $2), '-infinity')",
        "'-infinity'::timestamptz",
      ],
    ],
    tests: DELETE_TEST,
  },
];
