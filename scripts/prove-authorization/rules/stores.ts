import type { Rule } from '../rule.ts';

const LIVE = 'src/server/live/live-image.ts';
const LIVE_STORE = 'src/server/live/live.store.ts';
const HANDLER = 'src/server/live/live-handler.ts';
const LIST = 'src/server/machines/machine-list.ts';
const LOOKUP = 'src/server/machines/stream-lookup.ts';
const FILES = 'src/server/machine-files/machine-files.store.ts';
const LMB = 'src/server/lmb-loggers/lmb-loggers.store.ts';

const PRINCIPALS = ['src/server/test/security/principals/principals.pg.test.ts'];
const LIVE_TEST = ['src/server/live/live.pg.test.ts'];
const HANDLER_TEST = ['src/server/live/live-handler.pg.test.ts'];
const AGE_TEST = ['src/server/test/security/principals/cache-age.pg.test.ts'];
const MOVED_TEST = ['src/server/history/moved-stream.pg.test.ts'];
const FILES_TEST = ['src/server/machine-files/whose-files.pg.test.ts'];
const PRESENT_OWNER = "join ownership w on w.stream_id = s.id and w.valid_to = 'infinity'";
const ANY_OWNER = 'join ownership w on w.stream_id = s.id';

/** What each store gives: of the caller's own organization, now. */
export const stores: readonly Rule[] = [
  {
    rule: "live: one's own organization's streams",
    out: [[LIVE, 'streams.filter(({ organizationId }) => covers(scope, organizationId))', '[...streams]']],
    tests: LIVE_TEST,
  },
  {
    rule: 'live: an answer is kept for one scope only',
    out: [[LIVE, "'all' : organizations.join()", "'all' : 'own'"]],
    tests: LIVE_TEST,
  },
  {
    rule: 'live: no time of a reading of before',
    out: [[LIVE, 'row?.newestMs !== undefined && row.newestMs >= ownedSince', 'row?.newestMs !== undefined']],
    tests: LIVE_TEST,
  },
  {
    rule: 'live: no value of before',
    out: [[LIVE, '.filter(([, { time }]) => time >= ownedSince)', '']],
    tests: LIVE_TEST,
  },
  {
    rule: 'live: a stream is its present owner’s',
    out: [[LIVE_STORE, PRESENT_OWNER, ANY_OWNER]],
    tests: LIVE_TEST,
  },
  {
    rule: 'live: a deleted stream is nobody’s',
    out: [[LIVE_STORE, 'where s.deleted_at is null order by', 'order by']],
    tests: ['src/server/machines/delete-machine.pg.test.ts'],
  },
  {
    rule: 'live, in front of Fastify: for who is signed in',
    out: [
      [
        HANDLER,
        'const caller = await sessions.find(token);\n    if (!caller) return false;',
        'const caller = (await sessions.find(token)) ?? { scope: { organizations: [], actions: new Set<never>() } };',
      ],
    ],
    tests: HANDLER_TEST,
  },
  {
    rule: 'live, in front of Fastify: of the caller’s scope',
    out: [[HANDLER, 'image.answer(caller.scope)', "image.answer({ ...caller.scope, organizations: 'all' })"]],
    tests: HANDLER_TEST,
  },
  {
    rule: 'live, in front of Fastify and at once: of the caller’s scope',
    out: [[HANDLER, 'image.known(caller.scope)', "image.known({ ...caller.scope, organizations: 'all' })"]],
    tests: AGE_TEST,
  },
  {
    rule: "machines: one's own organization's",
    out: [
      [
        LIST,
        "const VISIBLE = 's.deleted_at is null and ($1::integer[] is null or w.organization_id = any ($1))';",
        "const VISIBLE = 's.deleted_at is null and ($1::integer[] is null or true)';",
      ],
    ],
    tests: PRINCIPALS,
    only: 'GET /api/machine/get/',
  },
  {
    rule: 'machines: a machine is its present owner’s',
    out: [[LIST, PRESENT_OWNER, ANY_OWNER]],
    tests: MOVED_TEST,
  },
  {
    rule: 'machines: a reference machine is named to administrators only',
    out: [
      [
        LIST,
        'and r.deleted_at is null and $3::boolean',
        'and r.deleted_at is null and $3::boolean is not null',
      ],
    ],
    tests: ['src/server/machines/machine-roles.pg.test.ts'],
  },
  {
    rule: "machines by name: one's own organization's",
    out: [
      [
        LOOKUP,
        'and ($2::integer[] is null or w.organization_id = any ($2))',
        'and ($2::integer[] is null or true)',
      ],
    ],
    tests: PRINCIPALS,
    only: 'GET /api/machine/get',
  },
  {
    rule: 'machines by name: a machine is its present owner’s',
    out: [
      [
        LOOKUP,
        `${PRESENT_OWNER}\n     where s.deleted_at is null and (s.serial`,
        `${ANY_OWNER}\n     where s.deleted_at is null and (s.serial`,
      ],
    ],
    tests: MOVED_TEST,
  },
  {
    rule: "photo and manual: one's own organization's machine's",
    out: [
      [
        FILES,
        'and ($2::integer[] is null or w.organization_id = any ($2))',
        'and ($2::integer[] is null or true)',
      ],
    ],
    tests: FILES_TEST,
  },
  {
    rule: 'photo and manual: they go with the machine',
    out: [[FILES, PRESENT_OWNER, ANY_OWNER]],
    tests: FILES_TEST,
  },
  {
    rule: 'photo and manual: kept for one browser only, and for who is signed in there',
    out: [
      [
        'src/server/machine-files/machine-files.routes.ts',
        "'private, max-age=31536000, immutable'",
        "'public'",
      ],
      ['src/server/machine-files/machine-files.routes.ts', ".header('vary', 'cookie')", ''],
    ],
    tests: ['src/server/machine-files/photo-calls.pg.test.ts'],
  },
  {
    rule: "LMB loggers: one's own organization's",
    out: [
      [
        LMB,
        'and ($1::integer[] is null or w.organization_id = any ($1))',
        'and ($1::integer[] is null or true)',
      ],
    ],
    tests: PRINCIPALS,
    only: 'GET /api/berend/get',
  },
  {
    rule: 'LMB loggers: a logger is its present owner’s',
    out: [[LMB, PRESENT_OWNER, ANY_OWNER]],
    tests: MOVED_TEST,
  },
];
