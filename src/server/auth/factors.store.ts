import { audit } from '#server/platform/audit.ts';
import { type Database, inTransaction, type Pool, type Transaction } from '#server/platform/database.ts';
import { notFound, ProblemError } from '#server/platform/problem.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import type { SecondFactor } from '#shared/contract/factors.ts';
import type { SecondFactorKind } from '#shared/contract/problem.ts';
import type { NotifyOwner } from './notify-owner.ts';
import type { Passkey, PasskeyOwner } from './passkeys.ts';
import { newRecoveryCodes, storeRecoveryCodes } from './recovery-codes.ts';
import { totpTimeStep } from './totp.ts';

/** Limits the work per typed code, because each code is compared with every authenticator app of the account. */
const MAX_FACTORS = 10;
/** Purpose under which an authenticator's secret is encrypted, bound to its row. */
const SEALED = 'factor.secret';

/** Returns the description of a factor in mails to its owner. */
const describeFactor = (kind: SecondFactorKind, name: string): string =>
  `${kind === 'passkey' ? 'de passkey' : 'de authenticator-app'} ‘${name}’`;

type Owner = { readonly accountId: number; readonly email: string };

/** Returns the factors of an account in the order in which they were added. */
export async function listFactors(db: Database, accountId: number): Promise<SecondFactor[]> {
  const { rows } = await db.query<
    Omit<SecondFactor, 'createdAt' | 'lastUsedAt'> & Record<string, Date | null>
  >(
    `select id, kind, name, created_at, last_used_at, disabled_at is not null as is_disabled
     from factor where account_id = $1 order by created_at, id`,
    [accountId],
  );
  return rows.map(({ createdAt, lastUsedAt, ...factor }) => ({
    ...(factor as Omit<SecondFactor, 'createdAt' | 'lastUsedAt'>),
    createdAt: (createdAt as Date).toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  }));
}

/** Returns how many unused recovery codes an account has. */
export async function countRecoveryCodes(db: Database, accountId: number): Promise<number> {
  const { rows } = await db.query<{ n: number }>(
    'select count(*)::int as n from recovery_code where account_id = $1',
    [accountId],
  );
  return rows[0]?.n ?? 0;
}

/** Returns the kinds of factor that an account needs to sign in, disabled passkeys included; empty when it has none. */
export async function factorKinds(db: Database, accountId: number): Promise<SecondFactorKind[]> {
  const { rows } = await db.query<{ kind: SecondFactorKind }>(
    'select distinct kind from factor where account_id = $1 order by kind',
    [accountId],
  );
  return rows.map(({ kind }) => kind);
}

const PASSKEY = `credential_id, public_key, counter::float8 as counter, transports`;

/** Returns the passkeys of an account that are not disabled. */
export async function listPasskeys(db: Database, accountId: number): Promise<Passkey[]> {
  const { rows } = await db.query<Passkey>(
    `select ${PASSKEY} from factor where account_id = $1 and kind = 'passkey' and disabled_at is null order by created_at, id`,
    [accountId],
  );
  return rows;
}

/** A passkey, disabled or not, with its account. */
export type KnownPasskey = Passkey & {
  readonly id: number;
  readonly accountId: number;
  readonly passwordHash: string;
};

export async function findPasskey(db: Database, credentialId: string): Promise<KnownPasskey | undefined> {
  const { rows } = await db.query<KnownPasskey>(
    `select f.id, a.id as account_id, a.password_hash, ${PASSKEY}
     from factor f join account a on a.id = f.account_id where credential_id = $1`,
    [credentialId],
  );
  return rows[0];
}

/** Returns the account for which a passkey is being created. @throws ProblemError 404 when the account no longer exists */
export async function passkeyOwner(db: Database, accountId: number): Promise<PasskeyOwner> {
  const { rows } = await db.query<PasskeyOwner>(
    'select id as account_id, email, created_at from account where id = $1',
    [accountId],
  );
  if (!rows[0]) throw notFound();
  return rows[0];
}

/** The stored data of a new factor, apart from its name. */
export type NewFactor =
  | { readonly kind: 'passkey'; readonly passkey: Passkey }
  /** `step`: the TOTP time step whose code confirmed the secret; that code cannot be used again. */
  | { readonly kind: 'totp'; readonly secret: string; readonly step: number };

/**
 * Adds a factor.
 * @returns recovery codes to show once, when the account has none yet; else an empty list
 * @throws ProblemError 409 when the factor exists already, or the account has MAX_FACTORS
 */
export async function addFactor(
  pool: Pool,
  secrets: Secrets,
  { accountId, email }: Owner,
  name: string,
  factor: NewFactor,
  notifyOwner: NotifyOwner,
): Promise<readonly string[]> {
  const first = (await countRecoveryCodes(pool, accountId)) > 0 ? undefined : await newRecoveryCodes();
  return inTransaction(pool, async (client) => {
    await lockAccount(client, accountId);
    const existing = await listFactors(client, accountId);
    if (existing.length >= MAX_FACTORS)
      throw new ProblemError('conflict', `Je hebt er al ${MAX_FACTORS}. Verwijder er eerst een.`);
    if (factor.kind === 'totp') await addTotp(client, secrets, accountId, name, factor);
    else await addPasskey(client, accountId, name, factor.passkey);
    await audit(client, {
      actor: email,
      action: 'factor.add',
      subject: email,
      data: { kind: factor.kind, name },
    });
    await notifyOwner(
      client,
      email,
      `${describeFactor(factor.kind, name)} is toegevoegd als tweede stap bij het inloggen.`,
    );
    if (!first || (await countRecoveryCodes(client, accountId)) > 0) return [];
    await storeRecoveryCodes(client, accountId, first);
    return first.codes;
  });
}

/** Refuses a secret that the account already has: each of its codes would be valid twice. */
async function addTotp(
  client: Transaction,
  secrets: Secrets,
  accountId: number,
  name: string,
  { secret, step }: Extract<NewFactor, { kind: 'totp' }>,
): Promise<void> {
  const existing = await listTotps(client, accountId);
  if (existing.some((other) => secrets.open(SEALED, other.id, other.secret) === secret))
    throw new ProblemError('conflict', 'Deze authenticator-app is al toegevoegd.');
  const { rows } = await client.query<{ id: number }>(
    `select unordered_id(nextval(pg_get_serial_sequence('factor', 'id'))) as id`,
  );
  const id = rows[0]?.id as number;
  await client.query(
    `insert into factor (id, account_id, kind, name, secret, last_step) overriding system value
     values ($1, $2, 'totp', $3, $4, $5)`,
    [id, accountId, name, secrets.seal(SEALED, id, secret), step],
  );
}

async function addPasskey(
  client: Transaction,
  accountId: number,
  name: string,
  { credentialId, publicKey, counter, transports }: Passkey,
): Promise<void> {
  const { rowCount } = await client.query(
    `insert into factor (account_id, kind, name, credential_id, public_key, counter, transports)
     values ($1, 'passkey', $2, $3, $4, $5, $6) on conflict (credential_id) do nothing`,
    [accountId, name, credentialId, publicKey, counter, transports],
  );
  if (rowCount !== 1) throw new ProblemError('conflict', 'Deze passkey is al toegevoegd.');
}

async function listTotps(db: Database, accountId: number): Promise<{ id: number; secret: Buffer }[]> {
  const { rows } = await db.query<{ id: number; secret: Buffer }>(
    `select id, secret from factor where account_id = $1 and kind = 'totp' order by created_at, id`,
    [accountId],
  );
  return rows;
}

/** Renames a factor. @throws ProblemError 404 */
export const renameFactor = (pool: Pool, owner: Owner, id: number, name: string): Promise<void> =>
  inTransaction(pool, async (client) => {
    const { name: before } = await findFactor(client, owner, id);
    await client.query('update factor set name = $2 where id = $1', [id, name]);
    const { email } = owner;
    await audit(client, {
      actor: email,
      action: 'factor.rename',
      subject: email,
      data: {},
      before: { name: before },
      after: { name },
    });
  });

/**
 * Removes a factor, and with the last one the recovery codes.
 * @param isRequired whether the account must have a factor
 * @throws ProblemError 404; 409 for the last working factor of an account that must have one
 */
export const removeFactor = (
  pool: Pool,
  owner: Owner,
  id: number,
  isRequired: boolean,
  notifyOwner: NotifyOwner,
): Promise<void> =>
  inTransaction(pool, async (client) => {
    const { accountId, email } = owner;
    await lockAccount(client, accountId);
    const { kind, name } = await findFactor(client, owner, id);
    const others = (await listFactors(client, accountId)).filter((other) => other.id !== id);
    if (isRequired && !others.some(({ isDisabled }) => !isDisabled))
      throw new ProblemError(
        'conflict',
        'Een tweede stap is voor jou verplicht. Voeg eerst een andere toe, en verwijder dan deze.',
      );
    await client.query('delete from factor where id = $1', [id]);
    if (others.length === 0)
      await client.query('delete from recovery_code where account_id = $1', [accountId]);
    await audit(client, { actor: email, action: 'factor.remove', subject: email, data: { kind, name } });
    await notifyOwner(client, email, `${describeFactor(kind, name)} is verwijderd en werkt niet meer.`);
  });

/** Replaces the recovery codes of an account. @throws ProblemError 409 when it has no factor */
export async function renewRecoveryCodes(
  pool: Pool,
  { accountId, email }: Owner,
  notifyOwner: NotifyOwner,
): Promise<readonly string[]> {
  const renewed = await newRecoveryCodes();
  await inTransaction(pool, async (client) => {
    await lockAccount(client, accountId);
    if ((await factorKinds(client, accountId)).length === 0)
      throw new ProblemError('conflict', 'Stel eerst een tweede stap in.');
    await storeRecoveryCodes(client, accountId, renewed);
    await audit(client, { actor: email, action: 'factor.recovery-codes', subject: email, data: {} });
    await notifyOwner(client, email, 'er zijn nieuwe herstelcodes gemaakt. De vorige werken niet meer.');
  });
  return renewed.codes;
}

/** Uses up a code of one of the account's authenticator apps. Returns false when the code is wrong or was used before. */
export async function consumeTotp(
  db: Database,
  secrets: Secrets,
  accountId: number,
  code: string,
  now: number,
): Promise<boolean> {
  for (const { id, secret } of await listTotps(db, accountId)) {
    const step = totpTimeStep(secrets.open(SEALED, id, secret), code, now);
    if (step === undefined) continue;
    // One statement, so that a code that arrives twice at the same moment is accepted once.
    const { rowCount } = await db.query(
      'update factor set last_step = $2, last_used_at = now() where id = $1 and last_step < $2',
      [id, step],
    );
    if (rowCount === 1) return true;
  }
  return false;
}

/**
 * Records the use of a passkey. A counter that does not increase means that the passkey was copied, so it is disabled.
 * @returns false when the passkey is disabled, now or earlier
 */
export const recordPasskeyUse = (
  pool: Pool,
  id: number,
  counter: number,
  whenCopied: (
    client: Transaction,
    copied: { readonly email: string; readonly name: string },
  ) => Promise<void>,
): Promise<boolean> =>
  inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      `update factor set counter = $2, last_used_at = now()
       where id = $1 and disabled_at is null and (counter < $2 or counter = 0 and $2 = 0)`,
      [id, counter],
    );
    if (rowCount === 1) return true;
    const { rows } = await client.query<{ email: string; name: string }>(
      `update factor f set disabled_at = now() from account a
       where f.id = $1 and f.disabled_at is null and a.id = f.account_id returning a.email, f.name`,
      [id],
    );
    const copied = rows[0];
    if (!copied) return false;
    const { email, name } = copied;
    await audit(client, {
      actor: 'sign-in',
      action: 'factor.disable',
      subject: email,
      data: { name, counter },
    });
    await whenCopied(client, copied);
    return false;
  });

/** Deletes all factors and recovery codes of an account, and ends its sessions and unfinished sign-ins. */
export async function resetFactors(client: Transaction, accountId: number): Promise<void> {
  for (const table of ['factor', 'recovery_code', 'sign_in_step', 'session'])
    await client.query(`delete from ${table} where account_id = $1`, [accountId]);
}

/** Serializes changes to the factors of one account. */
async function lockAccount(client: Transaction, accountId: number): Promise<void> {
  await client.query('select from account where id = $1 for no key update', [accountId]);
}

async function findFactor(
  client: Transaction,
  { accountId }: Owner,
  id: number,
): Promise<{ kind: SecondFactorKind; name: string }> {
  const { rows } = await client.query<{ kind: SecondFactorKind; name: string }>(
    'select kind, name from factor where id = $1 and account_id = $2 for update',
    [id, accountId],
  );
  if (!rows[0]) throw notFound('Deze tweede stap is er niet (meer).');
  return rows[0];
}
