import { proved, type Rule } from '../rule.ts';

const PRINCIPALS = 'principals.pg.test.ts';

/** What every call passes before its handler. */
export const gates: readonly Rule[] = [
  ...proved(`${PRINCIPALS} > background-tasks`, {
    'a call that needs a session is refused without one': '⟦if (!caller) throw unauthenticated();⟧',
  }),
  ...proved(`${PRINCIPALS} > GET /api/user/get`, {
    "an administrator's call is refused to others":
      "⟦if (endpoint.access === 'admin' && !gate.isAdministrator(caller)) throw forbidden();⟧",
    'answers are kept by no cache on the way': "⟦reply.header('cache-control', 'no-store');⟧",
    'an administrator is who is of the organization admin':
      'isAdministrator: ⟦({ organization }) => organization === ADMIN_ORGANIZATION→() => true⟧,',
  }),
  ...proved(`${PRINCIPALS} > GET /api/machine/get/all`, {
    'a call for who may see machines, or loggers, is refused to others':
      '⟦if (endpoint.needs !== undefined && !gate.may(caller, endpoint.needs)) throw forbidden();⟧',
    'who may what is said by the scope':
      'may: ⟦({ scope }, action) => scope.actions.has(action)→() => true⟧,',
  }),
  ...proved(`${PRINCIPALS} > POST /api/mail/subscribe`, {
    'a call that changes something comes from our own page':
      '⟦if (endpoint.changes) requireOwnPage(request, gate.allowedOrigins);⟧',
  }),
  ...proved(`${PRINCIPALS} > tiles/status`, {
    'map tiles are for who is signed in': '⟦if (!(await callerOf(request))) throw unauthenticated();⟧',
    'map tiles are not for pages of other sites':
      "if (headers['sec-fetch-site'] === '⟦cross-site→never⟧') throw",
  }),
  ...proved('accounts-roles.pg.test.ts', {
    'only origins of ALLOWED_ORIGINS may read answers': 'origin: ⟦config.ALLOWED_ORIGINS→true⟧,',
  }),
  ...proved('cross-site.pg.test.ts', {
    'own page: Sec-Fetch-Site other than same-origin is refused':
      'if (origin !== undefined && allowed.has(origin)) return; ⟦throw forbidden(FOREIGN);→return;⟧',
    'own page: across origins only from ALLOWED_ORIGINS':
      'if (origin !== undefined ⟦&& allowed.has(origin)⟧) return;',
    'own page: without Sec-Fetch-Site another Origin is refused':
      'allowed.has(from)) return; ⟦throw forbidden(FOREIGN);→return;⟧',
    'own page: without Sec-Fetch-Site an Origin of ours will do':
      'if (⟦from === here ||⟧ allowed.has(from)) return;',
    'own page: without an Origin another Referer is refused':
      'origin ⟦?? (referer === undefined ? undefined : originOf(referer))⟧',
    'own page: a Referer that is no address is refused': ": ⟦'null'→(undefined as never)⟧);",
    'own page: who sends a cookie and says nothing of its origin is refused':
      "⟦if (headers.cookie !== undefined && !headers['x-requested-with']) throw forbidden(UNPROVED);⟧",
    'own page: a script proves its origin by X-Requested-With': "⟦&& !headers['x-requested-with']⟧",
    'own page: without a cookie nobody’s session is used': 'if (⟦headers.cookie !== undefined &&⟧ !headers',
  }),
  ...proved(`${PRINCIPALS} > GET /metrics`, {
    'metrics: for administrators':
      'isAdministrator: ⟦(caller) => caller === SCRAPER || gate.isAdministrator(caller)→() => true⟧,',
    'metrics: without a session only with the very token':
      "return ⟦timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', token, 'buffer'))→true⟧;",
  }),
  ...proved('metrics.pg.test.ts', {
    'metrics: no token is none, not an empty one': 'if (given === undefined) return ⟦false→true⟧;',
  }),
  ...proved('access.test.ts', {
    "a scope is the caller's own organization, an administrator's all":
      "⟦role === 'admin' ? 'all' : [principal.organizationId]→'all'⟧",
    'a scope covers its organizations only':
      "scope.organizations === 'all' || scope.organizations.⟦includes(organizationId)→length > 0⟧;",
    'the administrators are exactly admin, not what looks like it':
      'user.organization⟦→.trim().toLowerCase()⟧ === ADMIN_ORGANIZATION',
    'a logger user sees no machines': "logger: new Set([⟦→'see-machines',⟧ 'see-loggers',",
    'a user sees no LMB loggers': "user: new Set([⟦→'see-loggers',⟧ 'see-machines',",
    'a user manages nothing': "user: new Set([⟦→'manage-machines',⟧ 'see-machines',",
  }),
];
