import { INVITATION_TOKEN } from '#server/invitations/test/noun.ts';
import { beginAttempt, storeUnlinkedSignIn } from '#server/oidc/attempts.store.ts';
import { linkIdentity } from '#server/oidc/identities.store.ts';
import { saveProvider } from '#server/oidc/providers.store.ts';
import { organizationMarker } from '#server/test/security/principals/planted.ts';
import { forgedToken, requestByName, type TestedNoun } from '#server/test/security/principals/tested-noun.ts';

export const noun: TestedNoun = {
  permissions: `
                                                    nobody user viewer manager logger-user admin technician other other-logger-user disabled deleted another-site limited today
GET /api/auth/oidc                                  200    200  200    200     200         200   200        200   200               200      200     200          200     200
POST /api/auth/oidc/start                           502    502  502    502     502         502   502        502   502               502      502     403          502     502    nothing
POST /api/auth/oidc/start (of no organization)      404    404  404    404     404         404   404        404   404               404      404     403          404     404    nothing
GET /api/auth/oidc/callback/:organization           303    303  303    303     303         303   303        303   303               303      303     303          303     303
POST /api/auth/oidc/confirm (guessing)              409    409  409    409     409         409   409        409   409               409      409     403          409     409
POST /api/auth/oidc/invitation (with a mailed link) 404    404  404    404     404         404   404        404   404               404      404     403          404     404    nothing
POST /api/auth/oidc/invitation (with none of ours)  404    404  404    404     404         404   404        404   404               404      404     403          404     404    nothing
GET /api/account/oidc                               401    200  200    200     200         200   200        200   200               401      401     200          200     200
POST /api/account/oidc/link                         401    502  502    502     502         502   502        502   502               401      401     403          502     502    proof nothing
POST /api/account/oidc/unlink                       401    200  200    200     200         200   200        200   200               401      401     403          200     200    proof
GET /api/organization/oidc                          401    403  403    200     403         200   403        403   403               401      401     200          403     403
GET /api/organization/oidc (of another)             401    403  403    404     403         200   403        403   403               401      401     200          403     403
POST /api/organization/oidc                         401    403  403    403     403         400   403        403   403               401      401     403          403     403    proof
POST /api/organization/oidc/delete                  401    403  403    403     403         200   403        403   403               401      401     403          403     403    proof
POST /api/organization/oidc/only                    401    403  403    200     403         200   403        403   403               401      401     403          403     403    proof
POST /api/organization/oidc/only (of another)       401    403  403    404     403         200   403        403   403               401      401     403          403     403    proof
`,
  /** Plants for every organization a sign-in provider with an address on this computer, to which the portal does not connect, and a sign-in in progress. */
  async plant({ pool, secrets }, { ids }) {
    const issuer = 'https://127.0.0.1';
    for (const [label, organizationId] of ids) {
      const clientId = organizationMarker(label);
      await saveProvider(pool, secrets, {
        organizationId,
        issuer,
        domain: `${clientId}.example`,
        clientId,
        clientSecret: `${clientId}-clientgeheim`,
      });
      await beginAttempt(pool, organizationId, { state: label, nonce: label, codeVerifier: label });
      const { rows } = await pool.query<{ id: number }>(
        'select id from account where organization_id = $1 order by created_at desc limit 1',
        [organizationId],
      );
      const claims = { issuer, subject: clientId, email: undefined };
      await storeUnlinkedSignIn(pool, rows[0]?.id as number, claims);
      await linkIdentity(pool, rows[0]?.id as number, claims, async () => {});
    }
  },
  requests: {
    'GET /api/auth/oidc': () => ({ query: { domain: `${organizationMarker('eigen')}.example` } }),
    'POST /api/auth/oidc/start': () => ({ body: { email: `iemand@${organizationMarker('eigen')}.example` } }),
    'POST /api/auth/oidc/start (of no organization)': () => ({ body: { email: 'iemand@nergens.example' } }),
    'GET /api/auth/oidc/callback/:organization': () => ({
      params: { organization: organizationMarker('eigen') },
      query: { code: 'x', state: 'x' },
    }),
    'POST /api/auth/oidc/confirm (guessing)': () => ({ body: { password: 'a guess' } }),
    'POST /api/auth/oidc/invitation (with a mailed link)': () => ({ body: { token: INVITATION_TOKEN } }),
    'POST /api/auth/oidc/invitation (with none of ours)': () => ({
      body: { token: forgedToken('a token of ours') },
    }),
    'GET /api/organization/oidc': () => ({ query: { name: organizationMarker('eigen') } }),
    'GET /api/organization/oidc (of another)': requestByName,
    'POST /api/organization/oidc': () => ({
      body: {
        name: organizationMarker('eigen'),
        issuer: 'https://127.0.0.1',
        domain: `${organizationMarker('eigen')}.example`,
        clientId: 'x',
        clientSecret: 'x',
      },
    }),
    'POST /api/organization/oidc/delete': () => ({ body: { name: 'kanarie-open' } }),
    'POST /api/organization/oidc/only': () => ({
      body: { name: organizationMarker('eigen'), isOnly: false },
    }),
    'POST /api/organization/oidc/only (of another)': (...of) => ({
      body: { ...requestByName(...of).query, isOnly: false },
    }),
  },
  loggedElsewhere: {
    'POST /api/account/oidc/unlink': ['identity.unlink', 'logbook/logbook'],
    'POST /api/auth/oidc/confirm': ['identity.link', 'oidc/oidc-settings'],
    'POST /api/organization/oidc': ['organization.oidc', 'oidc/oidc-settings'],
    'POST /api/organization/oidc/delete': ['organization.oidc-delete', 'oidc/oidc-settings'],
    'POST /api/organization/oidc/only': ['organization.oidc-only', 'oidc/oidc-settings'],
  },
  rules: {
    'oidc-settings.pg.test.ts': {
      'oidc-settings-scope': 'A caller changes the sign-in provider of the organizations of the scope only.',
    },
  },
};
