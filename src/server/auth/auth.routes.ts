import { getCurrentRequest } from '#server/platform/audit.ts';
import type { Database } from '#server/platform/database.ts';
import { forbidden, markWrongGuess, ProblemError } from '#server/platform/problem.ts';
import type { Refusals } from '#server/platform/refusals.ts';
import type { ServeCall } from '#server/platform/serve.ts';
import type { AddressConfirmation } from './address-confirmation.ts';
import { completeSignIn, ORGANIZATION_DISABLED_MESSAGE } from './complete-sign-in.ts';
import { requireAcceptablePassword } from './guessable.ts';
import { requireLocalSignIn } from './local-sign-in.ts';
import { countSignInAttempt } from './login-limits.ts';
import type { PasswordResets } from './password-resets.ts';
import { passwordMatches } from './passwords.ts';
import { registerAccount } from './registration.ts';
import {
  checkSecondFactor,
  type LinkIdentity,
  type SecondStepDependencies,
  type SigningInAccount,
  secondStepRoutes,
} from './second-step.ts';
import { sessionVisitorOf } from './session-use.ts';
import { type Caller, sessionUserOf } from './sessions.ts';

/** Answers to people who register by code, with and without a mail server. */
const ANSWERS = {
  mailed: {
    /** For an applicant who signs in with the right password. */
    waits:
      'Je account wacht op toelating door de beheerder van je organisatie. Je krijgt een mail zodra je kunt inloggen.',
    applied:
      'Je aanvraag is ontvangen. De beheerder van je organisatie laat je toe; je krijgt een mail zodra je kunt inloggen.',
    /** Also the answer when the address already has an account: its owner gets a mail. */
    made: 'Je account is gemaakt. Log in met je nieuwe wachtwoord. Lukt dat niet, kijk dan in je mail.',
  },
  unmailed: {
    waits:
      'Je account wacht op toelating door de beheerder van je organisatie, die je daarna een link geeft.',
    applied:
      'Je aanvraag is ontvangen. Dit portaal verstuurt geen mail: de beheerder van je organisatie laat je toe en geeft je daarna een link.',
    made: 'Je account is gemaakt. Dit portaal verstuurt geen mail: vraag je beheerder om de link waarmee je verder kunt.',
  },
} as const;
const CODE_SENT = 'A reset code has been sent to your email.';
/** Added to CODE_SENT when the portal sends no mail, whether or not the address has an account. */
const ASK_FOR_LINK =
  'Dit portaal verstuurt geen mail. Vraag je beheerder, of de administrator van het portaal, om een link voor een nieuw wachtwoord.';

export type AuthRouteDependencies = SecondStepDependencies & {
  readonly refusals: Refusals;
  readonly linkIdentity: LinkIdentity;
  readonly resets: PasswordResets;
  readonly confirmation: AddressConfirmation;
  readonly hasMailServer: boolean;
  /** Whether the portal is public without a mail server, so that people have to ask an administrator for a link. */
  readonly lacksMailServer: boolean;
};

/** Registers the calls for sign-in, registration and sign-out (API-01, Auth). */
export function authRoutes(serve: ServeCall<Caller>, parts: AuthRouteDependencies): void {
  const { pool, sessions, resets, session, device } = parts;
  const answers = ANSWERS[parts.hasMailServer ? 'mailed' : 'unmailed'];

  serve('GET /api/auth/validate-token', async ({ request }) => {
    const token = session.read(request);
    const caller = token === undefined ? undefined : await sessions.find(token, sessionVisitorOf(request));
    if (caller) return { isAuthenticated: true, user: sessionUserOf(caller) };
    const isOfDisabled = token !== undefined && (await sessions.isOfDisabled(token));
    return { isAuthenticated: false, ...(isOfDisabled && { message: ORGANIZATION_DISABLED_MESSAGE }) };
  });

  serve('POST /api/auth/login', async ({ body, request, reply }) => {
    const email = body.email.toLowerCase();
    const tries = await countSignInAttempt(pool, device, request, 'login', email);
    const account = await findAccount(pool, email);
    if (!(await passwordMatches(account?.passwordHash, body.password, tries.by)) || !account) {
      throw markWrongGuess(
        new ProblemError('bad_credentials', 'Login failed. Please check your credentials.'),
      );
    }
    await tries.succeeded();
    if (account.waits) throw forbidden(answers.waits);
    await requireLocalSignIn(pool, account.accountId);
    const hasPresentedFactor = await checkSecondFactor(parts, account, body.totp, request, reply);
    const caller = await completeSignIn(parts, account, hasPresentedFactor, request, reply);
    return { message: 'Ingelogd.', user: sessionUserOf(caller) };
  });

  secondStepRoutes(serve, parts);

  serve('POST /api/auth/register', async ({ body, request }) => {
    const email = body.email.toLowerCase();
    await requireAcceptablePassword(body.password, { email });
    const tries = await countSignInAttempt(pool, device, request, 'register', email);
    const { waits, known } = await registerAccount(pool, parts, body, tries.by);
    // The answer must not reveal that the address has an account.
    if (known !== undefined) recordRefusal(email, known);
    await tries.succeeded();
    return { waits, message: waits ? answers.applied : answers.made };
  });

  function recordRefusal(email: string, accountId: number): void {
    const who = getCurrentRequest();
    if (who)
      parts.refusals.note({
        action: 'register.refuse',
        who,
        accountId,
        email,
        call: 'POST /api/auth/register',
      });
  }

  serve('POST /api/auth/forgot-password', async ({ body, request }) => {
    const email = body.email.toLowerCase();
    await countSignInAttempt(pool, device, request, 'forgot', email);
    await resets.request(pool, email);
    // `message` is the specification's sentence; `note` says what to do when the portal sends no mail.
    return { message: CODE_SENT, ...(parts.lacksMailServer && { note: ASK_FOR_LINK }) };
  });

  serve('POST /api/auth/logout', async ({ request, reply }) => {
    const token = session.read(request);
    if (/*rule:sign-out-ends-session*/ token !== undefined /*=false*/) await sessions.end(token);
    session.clear(reply);
    // Clears cached photos and manuals, and data that other tabs stored; the device cookie stays. Browsers ignore this header over
    // plain http, where the page itself clears its storage.
    reply.header('clear-site-data', '"cache", "storage"');
    return { message: 'Uitgelogd.' };
  });
}

/** `waits`: the person is an applicant and has no account yet. */
type FoundAccount = SigningInAccount & { readonly waits: boolean };

async function findAccount(db: Database, email: string): Promise<FoundAccount | undefined> {
  const { rows } = await db.query<FoundAccount>(
    `select id as account_id, email, password_hash, false as waits
     from account where lower(email) = $1
     union all
     select 0, email, password_hash, true from applicant where lower(email) = $1
     order by waits limit 1`,
    [email],
  );
  return rows[0];
}
