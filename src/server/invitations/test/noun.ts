import { createHash } from 'node:crypto';
import { organizationMarker } from '#server/test/security/principals/planted.ts';
import {
  createNextIdTaker,
  forgedToken,
  requestById,
  type TargetOwner,
  type TestedNoun,
} from '#server/test/security/principals/tested-noun.ts';

/** Returns unanswered invitations of the organization of `user` and of another one. */
type PlantedInvitations = { nextInvitation(whose: TargetOwner): number };

/** Token in the link of the invitation e-mail of NEWCOMERS_ORGANIZATION. */
export const INVITATION_TOKEN = 'bGluayBvZiBhIG1haWw';
/** Organization of INVITATION_TOKEN; only requests about new people use it. */
export const NEWCOMERS_ORGANIZATION = 'kanarie-nieuwkomers';

/** Number of planted invitations: each request of `permissions` below that revokes an invitation uses up one of them. */
const EACH = 400;

export const noun: TestedNoun<PlantedInvitations> = {
  permissions: `
                                                nobody user viewer manager logger-user admin technician other other-logger-user disabled deleted another-site limited today
GET /api/invitation/get                         401    403  403    200     403         200   403        403   403               401      401     200          403     403
POST /api/invitation/create                     401    403  403    200     403         200   403        403   403               401      401     403          403     403    proof
POST /api/invitation/create (an administrator)  401    403  403    400     403         200   403        403   403               401      401     403          403     403    proof
POST /api/invitation/revoke                     401    403  403    404     403         200   403        403   403               401      401     403          403     403
POST /api/invitation/revoke (of their own)      401    403  403    200     403         200   403        403   403               401      401     403          403     403
POST /api/invitation/look (with a mailed link)  200    200  200    200     200         200   200        200   200               200      200     403          200     200    nothing
POST /api/invitation/look (with none of ours)   404    404  404    404     404         404   404        404   404               404      404     403          404     404    nothing
POST /api/invitation/accept (with none of ours) 404    404  404    404     404         404   404        404   404               404      404     403          404     404
`,
  /** Plants an invitation of every organization, one with a link, and some to revoke. */
  async plant({ pool, organization }, { ids }) {
    const invited = async (
      who: string,
      organizationId: number,
      count: number,
      hashes: readonly Buffer[] = [],
    ) => {
      const { rows } = await pool.query<{ id: number }>(
        `insert into invitation (organization_id, email, role, expires_at, token_hashes)
         select $1, replace($2, '@', n || '@'), 'kijker', now() + interval '7 days', $4 from generate_series(1, $3) n returning id`,
        [organizationId, who, count, hashes],
      );
      return rows.map(({ id }) => id);
    };
    for (const [label, id] of ids) await invited(`genodigd@${organizationMarker(label)}.example`, id, 1);
    const foreign = await organization(NEWCOMERS_ORGANIZATION);
    const hash = createHash('sha256').update(INVITATION_TOKEN).digest();
    await invited('met-link@nieuw.example', foreign, 1, [hash]);
    return {
      nextInvitation: createNextIdTaker({
        own: await invited('genodigd@nieuw.example', ids.get('eigen') as number, EACH),
        foreign: await invited('elders-genodigd@nieuw.example', foreign, EACH),
      }),
    };
  },
  requests: {
    'POST /api/invitation/create': (_, __, person) => ({
      body: {
        email: `genodigd-door-${person}@nieuw.example`,
        role: 'kijker',
        organization: organizationMarker('eigen'),
      },
    }),
    'POST /api/invitation/create (an administrator)': (_, __, person) => ({
      body: { email: `erbij-door-${person}@nieuw.example`, role: 'administrator', organization: 'admin' },
    }),
    'POST /api/invitation/revoke': requestById((world) => world.nextInvitation('foreign')),
    'POST /api/invitation/revoke (of their own)': requestById((world) => world.nextInvitation('own')),
    'POST /api/invitation/look (with a mailed link)': () => ({ body: { token: INVITATION_TOKEN } }),
    'POST /api/invitation/look (with none of ours)': () => ({
      body: { token: forgedToken('a token of ours') },
    }),
    'POST /api/invitation/accept (with none of ours)': () => ({
      body: { token: forgedToken('a token of ours'), password: 'een wachtwoord van niemand' },
    }),
  },
  loggedElsewhere: {
    'POST /api/invitation/accept': ['invitation.accept', 'invitations/invitations'],
  },
  rules: {
    'invitations.pg.test.ts': {
      'invitations-scope': 'A caller sees and revokes the invitations of the scope only.',
    },
  },
};
