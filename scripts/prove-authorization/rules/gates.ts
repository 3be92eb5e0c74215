import { proved, type Rule } from '../rule.ts';

const PRINCIPALS = 'principals.pg.test.ts';

/** What every call passes before its handler. */
export const gates: readonly Rule[] = [
  ...proved(`${PRINCIPALS} > background-tasks`, {
    'a call that needs a session is refused without one': '⟦if (!caller) throw unauthenticated();⟧',
  }),
  ...proved(`${PRINCIPALS} > GET /api/user/get`, {
    'answers are kept by no cache on the way': "⟦reply.header('cache-control', 'no-store');⟧",
  }),
  ...proved(`${PRINCIPALS} > GET /api/machine/get/all`, {
    'a call for who may see machines, or loggers, is refused to others':
      '⟦if (endpoint.needs !== undefined && !gate.may(caller, endpoint.needs)) throw forbidden();⟧',
    'who may what is said by the scope':
      'may: ⟦({ scope }, action) => scope.actions.has(action)→() => true⟧,',
  }),
  ...proved(`${PRINCIPALS} > 13.6f`, {
    'what cannot be undone asks who proved long ago that it is them':
      '⟦if (endpoint.proof === true && !gate.isProved(caller)) throw proofRequired();⟧',
    'a call that asks for re-authentication because of its body does so':
      '⟦if (caller && asksProof(endpoint, input.body) && !gate.isProved(caller)) throw proofRequired();⟧',
    'whether somebody proved lately is said by their session':
      'isProved: ⟦({ session }) => session.isProved→() => true⟧,',
  }),
  ...proved('lost-rights.pg.test.ts', {
    'each transaction of a change checks its caller':
      '⟦if (asked && !asked.isOver) await asked.check(client);⟧',
    'a change keeps its session until it is committed':
      "⟦await from.query('select from session where id = $1 for key share', [sessionId]);⟧",
    'a change is refused when its session has ended':
      '⟦if (!now) throw unauthenticated();→if (!now) return;⟧',
    'a change passes the gate again': '⟦requireAllowed(gate, key, now);⟧',
    'a change is refused when the rights of its caller are others':
      '⟦if (!gate.isUnchanged(caller, now)) throw forbidden();⟧',
  }),
  ...proved(`${PRINCIPALS} > POST /api/mail/subscribe`, {
    'a call that changes something comes from our own page':
      '⟦if (endpoint.changes) requireOwnPage(request, gate.allowedOrigins);⟧',
  }),
  ...proved(`${PRINCIPALS} > tiles/status`, {
    'map tiles are for who is signed in': '⟦if (!visitor) throw unauthenticated();→if (!visitor) return;⟧',
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
    'own page: without Sec-Fetch-Site an Origin of ours will do': '⟦if (allowed.has(from)) return;⟧',
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
      "may: (caller, action) => (caller === SCRAPER ? action === 'operate' : ⟦gate.may(caller, action)→true⟧),",
    'metrics: without a session only with the very token':
      "return ⟦timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', token, 'buffer'))→true⟧;",
  }),
  ...proved('metrics.pg.test.ts', {
    'metrics: no token is none, not an empty one': 'if (given === undefined) return ⟦false→true⟧;',
  }),
  ...proved('access.test.ts', {
    "a scope is the caller's own organization, an administrator's all":
      "return ⟦organization === ADMIN_ORGANIZATION ? 'all' : [organizationId]→'all'⟧;",
    'a scope covers its organizations only':
      "scope.organizations === 'all' || scope.organizations.⟦includes(organizationId)→length > 0⟧;",
    'the administrators are exactly admin, not what looks like it':
      "return organization⟦→.trim().toLowerCase()⟧ === ADMIN_ORGANIZATION ? 'all'",
    'a customer sees the one kind that it has':
      "!OF_THE_OTHER_KIND[isLmbCustomer ? 'lmb' : 'machines'].⟦includes(action)→includes(undefined as never)⟧",
    'a role of the other kind of organization may do nothing':
      'if (⟦!rolesIn(organization).includes(role) ||⟧ !ACTIONS[role].has(action)) return false;',
    'each kind of organization has its own roles':
      'organization === ADMIN_ORGANIZATION ? ADMIN_ROLES : ⟦CUSTOMER_ROLES→ROLES⟧;',
    'a technicus sees to no people': 'technicus: new Set(⟦TECHNICAL→[...TECHNICAL, ...PEOPLE]⟧),',
    'a beheerder manages no machines':
      "beheerder: new Set([...⟦LOOKING→TECHNICAL⟧, 'make-reports', 'set-labels', 'manage-maintenance', 'manage-projects', 'manage-alerts', ...PEOPLE,]),",
    'a gebruiker manages nothing':
      "gebruiker: new Set([...⟦LOOKING→TECHNICAL⟧, 'make-reports', 'set-labels', 'see-code']),",
    'a kijker manages nothing': 'kijker: new Set(⟦LOOKING→TECHNICAL⟧),',
  }),
];
