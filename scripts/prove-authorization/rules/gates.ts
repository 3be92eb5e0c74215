import type { Rule } from '../rule.ts';

const SERVE = 'src/server/platform/serve.ts';
const OWN_PAGE = 'src/server/platform/own-page.ts';
const APP = 'src/server/app.ts';
const METRICS = 'src/server/metrics/metrics.routes.ts';
const ACCESS = 'src/shared/domain/access.ts';
const PRINCIPALS = ['src/server/test/security/principals/principals.pg.test.ts'];
const OWN_PAGE_TEST = ['src/server/auth/own-page.pg.test.ts'];
const ACCESS_TEST = ['src/shared/domain/access.test.ts'];
const METRICS_TEST = ['src/server/metrics/metrics.pg.test.ts'];

/** What every call passes before its handler. */
export const gates: readonly Rule[] = [
  {
    rule: 'a call that needs a session is refused without one',
    out: [[SERVE, 'if (!caller) throw unauthenticated();', '']],
    tests: PRINCIPALS,
    only: 'background-tasks',
  },
  {
    rule: "an administrator's call is refused to others",
    out: [
      [SERVE, "if (endpoint.access === 'admin' && !gate.isAdministrator(caller)) throw forbidden();", ''],
    ],
    tests: PRINCIPALS,
    only: 'GET /api/user/get',
  },
  {
    rule: 'a call for who may see machines, or loggers, is refused to others',
    out: [
      [
        SERVE,
        'if (endpoint.needs !== undefined && !gate.may(caller, endpoint.needs)) throw forbidden();',
        '',
      ],
    ],
    tests: PRINCIPALS,
    only: 'GET /api/machine/get/all',
  },
  {
    rule: 'a call that changes something comes from our own page',
    out: [[SERVE, 'if (endpoint.changes) requireOwnPage(request, gate.allowedOrigins);', '']],
    tests: PRINCIPALS,
    only: 'POST /api/mail/subscribe',
  },
  {
    rule: 'answers are kept by no cache on the way',
    out: [[SERVE, "reply.header('cache-control', 'no-store');", '']],
    tests: PRINCIPALS,
    only: 'GET /api/user/get',
  },
  {
    rule: 'an administrator is who is of the organization admin',
    out: [
      [
        APP,
        'isAdministrator: ({ organization }) => organization === ADMIN_ORGANIZATION,',
        'isAdministrator: () => true,',
      ],
    ],
    tests: PRINCIPALS,
    only: 'GET /api/user/get',
  },
  {
    rule: 'who may what is said by the scope',
    out: [[APP, 'may: ({ scope }, action) => scope.actions.has(action),', 'may: () => true,']],
    tests: PRINCIPALS,
    only: 'GET /api/machine/get/all',
  },
  {
    rule: 'map tiles are for who is signed in',
    out: [[APP, 'if (!(await callerOf(request))) throw unauthenticated();', '']],
    tests: PRINCIPALS,
    only: 'tiles/status',
  },
  {
    rule: 'map tiles are not for pages of other sites',
    out: [
      [
        'src/server/tiles/tiles.routes.ts',
        "if (headers['sec-fetch-site'] === 'cross-site') throw",
        "if (headers['sec-fetch-site'] === 'never') throw",
      ],
    ],
    tests: PRINCIPALS,
    only: 'tiles/status',
  },
  {
    rule: 'only origins of ALLOWED_ORIGINS may read answers',
    out: [[APP, 'origin: config.ALLOWED_ORIGINS,', 'origin: true,']],
    tests: ['src/server/users/accounts-roles.pg.test.ts'],
  },
  {
    rule: 'own page: Sec-Fetch-Site other than same-origin is refused',
    out: [[OWN_PAGE, 'throw forbidden(REFUSED);\n  }', 'return;\n  }']],
    tests: OWN_PAGE_TEST,
  },
  {
    rule: 'own page: across origins only from ALLOWED_ORIGINS',
    out: [
      [
        OWN_PAGE,
        'if (origin !== undefined && allowed.has(origin)) return;',
        'if (origin !== undefined) return;',
      ],
    ],
    tests: OWN_PAGE_TEST,
  },
  {
    rule: 'own page: without Sec-Fetch-Site another Origin is refused',
    out: [[OWN_PAGE, 'if (from !== here && !allowed.has(from)) throw forbidden(REFUSED);', '']],
    tests: OWN_PAGE_TEST,
  },
  {
    rule: 'own page: without an Origin another Referer is refused',
    out: [[OWN_PAGE, 'origin ?? (referer === undefined ? undefined : originOf(referer))', 'origin']],
    tests: OWN_PAGE_TEST,
  },
  {
    rule: 'own page: a Referer that is no address is refused',
    out: [[OWN_PAGE, ": 'null');", ': (undefined as never));']],
    tests: OWN_PAGE_TEST,
  },
  {
    rule: 'metrics: for administrators',
    out: [
      [
        METRICS,
        'isAdministrator: (caller) => caller === SCRAPER || gate.isAdministrator(caller),',
        'isAdministrator: () => true,',
      ],
    ],
    tests: PRINCIPALS,
    only: 'GET /metrics',
  },
  {
    rule: 'metrics: without a session only with the very token',
    out: [
      [
        METRICS,
        "return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', token, 'buffer'));",
        'return true;',
      ],
    ],
    tests: PRINCIPALS,
    only: 'GET /metrics',
  },
  {
    rule: 'metrics: no token is none, not an empty one',
    out: [[METRICS, 'if (given === undefined) return false;', 'if (given === undefined) return true;']],
    tests: METRICS_TEST,
  },
  {
    rule: "a scope is the caller's own organization, an administrator's all",
    out: [[ACCESS, "role === 'admin' ? 'all' : [principal.organizationId]", "'all'"]],
    tests: ACCESS_TEST,
  },
  {
    rule: 'a scope covers its organizations only',
    out: [[ACCESS, 'scope.organizations.includes(organizationId);', 'scope.organizations.length > 0;']],
    tests: ACCESS_TEST,
  },
  {
    rule: 'the administrators are exactly admin, not what looks like it',
    out: [
      [
        ACCESS,
        'user.organization === ADMIN_ORGANIZATION',
        'user.organization.trim().toLowerCase() === ADMIN_ORGANIZATION',
      ],
    ],
    tests: ACCESS_TEST,
  },
  {
    rule: 'a logger user sees no machines',
    out: [[ACCESS, "logger: new Set(['see-loggers',", "logger: new Set(['see-machines', 'see-loggers',"]],
    tests: ACCESS_TEST,
  },
  {
    rule: 'a user sees no LMB loggers',
    out: [[ACCESS, "user: new Set(['see-machines',", "user: new Set(['see-loggers', 'see-machines',"]],
    tests: ACCESS_TEST,
  },
  {
    rule: 'a user manages nothing',
    out: [[ACCESS, "user: new Set(['see-machines',", "user: new Set(['manage-machines', 'see-machines',"]],
    tests: ACCESS_TEST,
  },
];
