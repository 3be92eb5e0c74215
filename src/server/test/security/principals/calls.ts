import type { LightMyRequestResponse } from 'fastify';
import { SCRIPT_HEADERS } from '#server/test/by-script.ts';
import { ORGANIZATION_OF_PERSON, type Person } from './people.ts';
import { organizationMarker } from './planted.ts';
import type { PermissionRow } from './table.ts';
import type { RequestParts, TestWorld } from './tested-noun.ts';

export type RequestVariant = {
  readonly head?: boolean;
  /** The request names another organization as the caller's own, in every parameter and field of the API that names an organization. */
  readonly claiming?: boolean;
  /** The request is about something that does not exist. */
  readonly unknown?: boolean;
  /** The request has none of the headers that say from which site it comes. */
  readonly silent?: boolean;
  /** The person last entered their password too long ago for calls that need it to be recent. */
  readonly provedLongAgo?: boolean;
  /** Cookie of a session other than the person's own. */
  readonly cookie?: string;
  /** Request to send instead of the one that belongs to the row of the table of permissions. */
  readonly asked?: RequestParts;
};
/** Sends, as one person, the request that a row of the table of permissions describes. */
export type SendRequest = (
  row: PermissionRow,
  person: Person,
  how?: RequestVariant,
) => Promise<LightMyRequestResponse>;

/** Calls that end the session of their caller. */
const ENDS_SESSION = /^POST \/api\/(auth\/(login|logout)|account\/proof$)|^DELETE \/api\/account$/;

export function requestSenderOf(world: TestWorld): SendRequest {
  return async (
    row,
    person,
    { head, claiming, unknown, silent, provedLongAgo = false, cookie: given, asked } = {},
  ) => {
    const [method = '', pattern = ''] = row.route.split(' ');
    const plain = asked ?? row.ask(unknown ? world.unknown : world.own, world, person);
    const { params, query, body, headers } = claiming ? inTheNameOf(claimedBy(person), plain, method) : plain;
    const path = pattern.replace(/:(\w+)|\*/g, (star, name?: string) =>
      encodeURI(params?.[name ?? star] ?? star),
    );
    if (/^POST \/api\/(?:auth|invitation)\//.test(row.route))
      await world.a.portal.pool.query('delete from rate_limit');
    const ofColleague = row.route === 'DELETE /api/account';
    const cookie =
      given ??
      (provedLongAgo || ENDS_SESSION.test(row.route)
        ? await world.freshCookieOf(person, { ofColleague, provedLongAgo })
        : world.cookieOf(person));
    return world.watched.app.inject({
      method: (head ? 'HEAD' : method) as 'GET',
      url: query ? `${path}?${new URLSearchParams(query)}` : path,
      headers: {
        ...(!silent && SCRIPT_HEADERS),
        ...headers,
        ...(cookie && { cookie }),
        ...(person === 'another-site' && { 'sec-fetch-site': 'cross-site' }),
      },
      ...(body && { payload: body }),
    });
  };
}

/** Returns the organization that a person's request falsely names as the person's own. */
function claimedBy(person: Person): string {
  const others = {
    eigen: 'ander',
    spoor: 'rails',
    ander: 'eigen',
    rails: 'spoor',
    dicht: 'eigen',
    beheer: 'eigen',
  } as const;
  return organizationMarker(others[ORGANIZATION_OF_PERSON[person] ?? 'ander']);
}

function inTheNameOf(organization: string, asked: RequestParts, method: string): RequestParts {
  const said = {
    machineOrg: organization,
    bedrijf: organization,
    organization,
    cleanorg: organization,
    isBerende: 'true',
  };
  if (method === 'POST') return { ...asked, body: { ...asked.body, ...said } };
  return { ...asked, query: { ...asked.query, ...said } };
}
