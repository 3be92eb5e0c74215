import type { Database } from '#server/platform/database.ts';
import type { Secrets } from '#server/platform/secrets.ts';

/** An organization's own identity provider. */
export type Provider = {
  readonly organizationId: number;
  /** The organization's functional name: its name in calls and addresses. */
  readonly organization: string;
  readonly isActive: boolean;
  readonly issuer: string;
  /** E-mail domain of the organization's people. */
  readonly domain: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The organization's people sign in only through this provider. */
  readonly isOnly: boolean;
};

const SEALED = 'oidc_provider.client_secret';

type Row = Omit<Provider, 'clientSecret'> & { readonly sealed: Buffer };

const PROVIDERS = `select o.id as organization_id, o.name as organization, o.is_active, p.issuer, p.domain,
    p.client_id, p.client_secret as sealed, p.is_only
  from oidc_provider p join organization o on o.id = p.organization_id`;

/** Returns the provider of an active organization, by an e-mail domain. */
export const findProviderOfDomain = (db: Database, secrets: Secrets, domain: string) =>
  findProvider(db, secrets, 'p.domain = $1 and o.is_active', domain);

export const findProviderOf = (db: Database, secrets: Secrets, organizationId: number) =>
  findProvider(db, secrets, 'o.id = $1', organizationId);

async function findProvider(
  db: Database,
  secrets: Secrets,
  condition: string,
  value: string | number,
): Promise<Provider | undefined> {
  const { rows } = await db.query<Row>(`${PROVIDERS} where ${condition}`, [value]);
  if (!rows[0]) return undefined;
  const { sealed, ...rest } = rows[0];
  return { ...rest, clientSecret: secrets.open(SEALED, rest.organizationId, sealed) };
}

/** Creates or replaces an organization's provider. @returns false when another organization has the domain */
export async function saveProvider(
  db: Database,
  secrets: Secrets,
  {
    organizationId,
    issuer,
    domain,
    clientId,
    clientSecret,
  }: Omit<Provider, 'isOnly' | 'isActive' | 'organization'>,
): Promise<boolean> {
  const { rowCount } = await db
    .query(
      `insert into oidc_provider (organization_id, issuer, domain, client_id, client_secret) values ($1, $2, $3, $4, $5)
       on conflict (organization_id) do update set issuer = excluded.issuer, domain = excluded.domain,
         client_id = excluded.client_id, client_secret = excluded.client_secret`,
      [organizationId, issuer, domain, clientId, secrets.seal(SEALED, organizationId, clientSecret)],
    )
    .catch((error: { code?: string; constraint?: string }) => {
      if (error.code === '23505' && error.constraint === 'oidc_provider_domain_key') return { rowCount: 0 };
      throw error;
    });
  return rowCount === 1;
}
