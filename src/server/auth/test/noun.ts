import { makeAuthenticator } from '#server/auth/test/authenticator.ts';
import { PASSWORD } from '#server/test/portal.ts';
import { emailOf, PERSON_WITHOUT_SIGN_IN } from '#server/test/security/principals/people.ts';
import {
  existingOrUnknownId,
  forgedToken,
  type TestedNoun,
} from '#server/test/security/principals/tested-noun.ts';

/** Second factor of PERSON_WITHOUT_SIGN_IN. */
type PlantedFactor = { readonly factorId: number };

let registered = 0;

export const noun: TestedNoun<PlantedFactor> = {
  permissions: `
                                                    nobody user viewer manager logger-user admin technician other other-logger-user disabled deleted another-site limited today
GET /api/auth/validate-token                        200    200  200    200     200         200   200        200   200               200      200     200          200     200
POST /api/auth/login (with their own password)      401    200  200    200     200         200   200        200   200               403      401     403          200     200
POST /api/auth/login (as a user, guessing)          401    401  401    401     401         401   401        401   401               401      401     403          401     401
POST /api/auth/register (their organization's code) 400    200  200    200     200         400   400        200   200               400      200     403          200     200
POST /api/auth/forgot-password                      200    200  200    200     200         200   200        200   200               200      200     403          200     200    nothing
POST /api/auth/reset-password-with-code (guessing)  400    400  400    400     400         400   400        400   400               400      400     403          400     400
POST /api/auth/confirm-address/send                 401    200  200    200     200         200   200        200   200               401      401     403          200     200    nothing
POST /api/auth/confirm-address (not sealed by us)   400    400  400    400     400         400   400        400   400               400      400     403          400     400
POST /api/auth/reset-link (guessing)                400    400  400    400     400         400   400        400   400               400      400     403          400     400    nothing
POST /api/auth/reset-password-with-link (guessing)  400    400  400    400     400         400   400        400   400               400      400     403          400     400
POST /api/account/password (guessing)               401    400  400    400     400         400   400        400   400               401      401     403          400     400
POST /api/auth/logout                               200    200  200    200     200         200   200        200   200               200      200     403          200     200
POST /api/auth/login/code (without a password)      401    401  401    401     401         401   401        401   401               401      401     403          401     401
POST /api/auth/passkey/options                      200    200  200    200     200         200   200        200   200               200      200     403          200     200    nothing generated
POST /api/auth/passkey/login (of nobody)            401    401  401    401     401         401   401        401   401               401      401     403          401     401
GET /api/account/factors                            401    200  200    200     200         200   200        200   200               401      401     200          200     200
POST /api/account/factors/totp                      401    200  200    200     200         200   200        200   200               401      401     403          200     200    nothing generated
POST /api/account/factors/totp/confirm (unasked)    401    400  400    400     400         400   400        400   400               401      401     403          400     400    proof
POST /api/account/factors/passkey                   401    200  200    200     200         200   200        200   200               401      401     403          200     200    nothing generated
POST /api/account/factors/passkey/confirm (unasked) 401    400  400    400     400         400   400        400   400               401      401     403          400     400    proof
POST /api/account/factors/rename (of another)       401    404  404    404     404         404   404        404   404               401      401     403          404     404
DELETE /api/account/factors (of another)            401    404  404    404     404         404   404        404   404               401      401     403          404     404    proof
POST /api/account/factors/recovery-codes (none)     401    409  409    409     409         409   409        409   409               401      401     403          409     409    proof
`,
  /** Plants password resets of everybody, and a passkey, recovery codes and an unfinished sign-in of PERSON_WITHOUT_SIGN_IN. */
  async plant({ pool }) {
    await pool.query(
      `insert into password_reset (id, account_id, code_hash, code_until, tries_left, token_hash, link_until)
       select gen_random_uuid(), id, sha256('of nobody'), now() + interval '1 hour', 5, sha256(email::bytea), now() + interval '1 hour'
       from account`,
    );
    const { rows } = await pool.query<{ id: number }>(
      `with forgetful as (select id from account where email = $1),
         code as (insert into recovery_code (account_id, code_hash, salt) select id, 'x', 'x' from forgetful),
         step as (insert into sign_in_step (token_hash, account_id, tries_left, expires_at)
           select 'x', id, 5, now() + interval '1 hour' from forgetful)
       insert into factor (account_id, kind, name, credential_id, public_key, counter, transports)
       select id, 'passkey', 'kanarie-eigen-telefoon', 'kanarie-eigen-passkey', 'x', 1, '{}' from forgetful returning id`,
      [PERSON_WITHOUT_SIGN_IN],
    );
    return { factorId: rows[0]?.id as number };
  },
  requests: {
    'POST /api/auth/login (with their own password)': (_, __, person) => ({
      body: { email: emailOf(person), password: person === 'nobody' ? 'of nobody' : PASSWORD },
    }),
    'POST /api/auth/login (as a user, guessing)': () => ({
      body: { email: emailOf('user'), password: 'a guess' },
    }),
    "POST /api/auth/register (their organization's code)": (_, world, person) => ({
      body: {
        email: `nieuw-${++registered}@nieuw.example`,
        password: PASSWORD,
        organizationCode: world.codeOf(person),
      },
    }),
    'POST /api/auth/forgot-password': () => ({ body: { email: emailOf('user') } }),
    'POST /api/auth/reset-password-with-code (guessing)': () => ({
      body: { email: emailOf('user'), code: 'ABCD2345', newPassword: 'another password' },
    }),
    'POST /api/auth/confirm-address (not sealed by us)': () => ({
      body: { token: forgedToken(`1 9999999999999 ${emailOf('user')}`) },
    }),
    'POST /api/auth/reset-link (guessing)': () => ({ body: { token: 'A'.repeat(22) } }),
    'POST /api/auth/reset-password-with-link (guessing)': () => ({
      body: { token: 'A'.repeat(22), newPassword: 'another password' },
    }),
    'POST /api/account/password (guessing)': () => ({
      body: { present: 'a guess', new: 'another password' },
    }),
    'POST /api/auth/login/code (without a password)': () => ({ body: { code: '123456' } }),
    'POST /api/auth/passkey/login (of nobody)': () => ({
      body: { passkey: makeAuthenticator().show('a challenge') },
    }),
    'POST /api/account/factors/totp/confirm (unasked)': () => ({
      body: { token: forgedToken('totp'), factorName: 'Telefoon', code: '123456' },
    }),
    'POST /api/account/factors/passkey/confirm (unasked)': () => ({
      body: {
        token: forgedToken('passkey'),
        factorName: 'Telefoon',
        passkey: makeAuthenticator().make('a challenge'),
      },
    }),
    'POST /api/account/factors/rename (of another)': (target, world) => ({
      body: { id: existingOrUnknownId(target, world, () => world.factorId), factorName: 'Van een ander' },
    }),
    'DELETE /api/account/factors (of another)': (target, world) => ({
      query: { id: String(existingOrUnknownId(target, world, () => world.factorId)) },
    }),
  },
  loggedElsewhere: {
    'DELETE /api/account/factors': ['factor.remove', 'logbook/logbook'],
    'POST /api/account/factors/passkey/confirm': ['factor.add', 'logbook/logbook'],
    'POST /api/account/factors/recovery-codes': ['factor.recovery-codes', 'logbook/logbook'],
    'POST /api/account/factors/rename': ['factor.rename', 'logbook/logbook'],
    'POST /api/account/factors/totp/confirm': ['factor.add', 'logbook/logbook'],
    'POST /api/account/password': ['user.change-password', 'auth/change-password'],
    'POST /api/auth/confirm-address': ['user.confirm-address', 'auth/address-confirmation'],
    'POST /api/auth/login/code': ['session.start', 'logbook/logbook'],
    'POST /api/auth/passkey/login': ['session.start', 'logbook/logbook'],
    'POST /api/auth/reset-password-with-code': ['user.reset-password', 'auth/password-reset.long'],
    'POST /api/auth/reset-password-with-link': ['user.reset-password', 'auth/password-reset.long'],
  },
  rules: {
    'obligatory-factor.long.pg.test.ts > 13.4k': {
      'gate-second-factor': 'A caller who must have a second factor, and has none, can only set one up.',
    },
    'first-password.pg.test.ts': {
      'gate-generated-password': 'A caller with a generated password can only choose another password.',
    },
    'unconfirmed.pg.test.ts': {
      'gate-confirmed-address': 'A caller who registered with a code first confirms the e-mail address.',
    },
    'cross-site.pg.test.ts': {
      'own-page-fetch-site': 'A change from a page of another site is refused by its Sec-Fetch-Site header.',
      'own-page-unproved': 'A change with a cookie and without proof of its origin is refused.',
    },
    'auth.pg.test.ts': {
      'session-age': 'A session ends at its maximum age.',
      'session-organization-disabled':
        'The sessions of an organization end when it is disabled, and do not come back.',
      'session-change-notice': 'A process forgets what it remembers of sessions when one changes.',
      'session-token-hash': 'The database holds the hash of a session token, not the token.',
      'sign-in-disabled-organization': 'Nobody signs in to a disabled organization.',
      'sign-in-password-replaced': 'A sign-in fails when the password was replaced while it was checked.',
      'sign-out-ends-session': 'Signing out ends the session on the server.',
      'cookie-http-only': 'No script can read the session cookie.',
      'cookie-same-site': 'No other site can send the session cookie.',
    },
    'second-factor.long.pg.test.ts > 13.4d': {
      'session-second-factor': 'No session starts without the second factor of an account that has one.',
    },
    'password-reset.long.pg.test.ts': {
      'session-new-password': 'The sessions of an account end when its password changes.',
    },
    'obligatory-factor.long.pg.test.ts > 13.4l': {
      'factor-reset-scope': 'A caller resets the second factor of people of the scope only.',
    },
  },
  unplanted: ['refusal'],
};
