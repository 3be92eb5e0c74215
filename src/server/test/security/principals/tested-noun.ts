import type { AdminTestPortal } from '#server/machines/test/administration.ts';
import type { TestPortal } from '#server/test/portal.ts';
import type { LogAction } from '#shared/domain/log-text.ts';
import type { Person } from './people.ts';
import { organizationMarker, type PlantedMachine, type PlantedOrganization } from './planted.ts';
import type { WatchedApp } from './watched-app.ts';

/** The resources that a request is about: those of the organizations of `user` and `logger-user`, or resources that do not exist. */
export type RequestSubject = {
  readonly serial: string;
  readonly alias: string;
  readonly photo: string;
  readonly manual: string;
  readonly loggerid: string;
  readonly loggerAlias: string;
};

export type FreshSession = {
  /** Whether to open the session for a colleague with equal rights, because the call deletes the account. */
  readonly ofColleague?: boolean;
  /** Whether the last re-authentication of the session was too long ago. */
  readonly provedLongAgo?: boolean;
};

export type TestWorld = {
  readonly a: AdminTestPortal;
  readonly watched: WatchedApp;
  readonly own: RequestSubject;
  readonly unknown: RequestSubject;
  /** Returns the registration code of a person's organization, or an invalid code for a person without an organization. */
  codeOf(person: Person): string;
  cookieOf(person: Person): string;
  /** Returns the cookie of a new session, for a call that ends its session or that needs a session with certain properties. */
  freshCookieOf(person: Person, how?: FreshSession): Promise<string>;
  /** Id of a session of the account COLLEAGUE, which makes no requests. */
  readonly sessionId: number;
  /** Values of every other organization that no answer to this person may contain, in lower case. */
  secretsFrom(person: Person): readonly string[];
  /** Values that not even an administrator's GET requests may show: keys, and other machines' files. */
  readonly hidden: readonly string[];
  /** Returns a checksum of everything stored, except what changes in the background. */
  fingerprint(except?: string): Promise<string>;
  close(): Promise<void>;
};

type Body = Readonly<Record<string, unknown>>;
export type RequestParts = {
  /** Path parameters by name. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Body;
  readonly headers?: Readonly<Record<string, string>>;
};
/**
 * Makes the request of a row of the table of permissions.
 * @template Own the test data that the folder's `plant` has stored
 */
export type MakeRequest<Own = object> = (
  target: RequestSubject,
  world: TestWorld & Own,
  person: Person,
) => RequestParts;

/**
 * The data that exist before a folder's `plant` runs: the organizations' ids, a machine or LMB logger of each, and people's sessions. The
 * `plant` functions run in the alphabetical order of their folders.
 */
export type PlantingContext = {
  readonly a: AdminTestPortal;
  readonly ids: ReadonlyMap<PlantedOrganization, number>;
  readonly planted: ReadonlyMap<PlantedOrganization, PlantedMachine>;
  cookieOf(person: Person): string;
};

/** Values of one field that are valid for the portal, and values that are invalid in a way specific to the field. */
export type FieldValues = { readonly good: readonly unknown[]; readonly odd?: readonly unknown[] };

/**
 * Test data of one folder of the server, such as machines, for the tests that make every call. Each folder exports its own as `noun` from
 * noun.ts in its test folder.
 * @template Own the inserted rows that `plant` returns
 * @template Others the test data of other folders that the requests of this folder need
 */
export type TestedNoun<Own = object, Others = object> = {
  /**
   * The folder's rows of the table of permissions, under a line with the names of the people. Marks follow the statuses (table.ts). Written
   * by hand from docs/requirements.md.
   */
  readonly permissions: string;
  /**
   * For each row, by the row's name, a function that makes a complete, correct request about the target. The request of a row that is
   * absent here has no parameters.
   */
  readonly requests?: Readonly<Record<string, MakeRequest<Own & Others>>>;
  /**
   * Stores data of this folder for every organization, with the organization's marker in each text.
   * @returns the ids and other values that `requests` needs
   */
  readonly plant?: (portal: TestPortal, planting: PlantingContext) => Promise<Own> | Promise<void>;
  /**
   * Calls whose requests in this test data are all refused or change nothing, each with the action of its audit row and the test that
   * checks that row.
   */
  readonly loggedElsewhere?: Readonly<Record<string, readonly [LogAction, test: string]>>;
  /** SQL statements for the test of an upgrade. Each stores a row in one of the folder's tables that version 1.0 lacks. */
  readonly rows?: readonly string[];
  /** Names of the folder's tables that the permissions test leaves empty, because only other events, such as background work, fill them. */
  readonly unplanted?: readonly string[];
  /** Names of the folder's tables that have a stream id and few rows per machine. Each node of a cluster has a copy of such a table. */
  readonly administration?: readonly string[];
  /** The folder's authorization rules, by the tests that check them: 'test file', or 'test file > pattern that the test titles match'. */
  readonly rules?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Values for the fuzz test, by the name of a parameter or property of the folder's calls. */
  readonly fields?: Readonly<Record<string, FieldValues>>;
};

/** Query parameters of calls about history: a period of 30 days until now. */
export const HISTORY_RANGE_QUERY = { start: '-30d' };

/** Requests that name the target by its serial number: in the body, in the path, and in the path with a period. */
export const requestBySerial: MakeRequest = (target) => ({ body: { serial: target.serial } });
export const requestBySerialInPath: MakeRequest = (target) => ({ params: { serial: target.serial } });
export const requestBySerialAndRange: MakeRequest = (target) => ({
  params: { serialNumber: target.serial },
  query: HISTORY_RANGE_QUERY,
});

/** An id that no row has, in the range of the column. */
export const UNKNOWN_ID = 2_000_000_000;

/** Returns the id of an existing resource, or UNKNOWN_ID if the request must be about an unknown one. */
export const existingOrUnknownId = <T>(
  target: RequestSubject,
  world: TestWorld,
  real: () => T,
): T | number => (target === world.own ? real() : UNKNOWN_ID);

/** Request with the name of an organization as its target: `ander`, or one that does not exist. */
export const requestByName: MakeRequest = (target, world) => ({
  query: { name: target === world.own ? organizationMarker('ander') : 'onbekend' },
});

/** Returns a token in the form of the portal's tokens, which the portal did not seal. */
export const forgedToken = (text: string): string => Buffer.from(text).toString('base64url');

/**
 * Returns a request with the id of a resource in its body.
 * @param more the other fields of the body
 */
export const requestById =
  <Own>(
    id: (world: TestWorld & Own) => number | string,
    more: Body | ((target: RequestSubject) => Body) = {},
    name = '_id',
  ): MakeRequest<Own> =>
  (target, world) => ({
    body: {
      ...(typeof more === 'function' ? more(target) : more),
      [name]: existingOrUnknownId(target, world, () => id(world)),
    },
  });

let names = 0;
/** Returns a name that no other resource has. */
export function nextName(): string {
  names += 1;
  return `Kade ${names}`;
}

/** Whose resource a request is about: that of the organization of `user` (`own`), or of another one (`foreign`). */
export type TargetOwner = 'own' | 'foreign';

/** Returns a function that takes the next id of a kind of resource from `ids`, so that no two requests get the same id. */
export const createNextIdTaker =
  <Thing extends string>(ids: Readonly<Record<Thing, number[]>>) =>
  (thing: Thing): number => {
    const id = ids[thing].shift();
    if (id === undefined) throw new Error(`No ${thing} is left`);
    return id;
  };

/** Texts that people may type. */
export const TEXT_FIELD_VALUES: FieldValues = { good: ['Volta', 'EX 14', 'Één', "O'Neill & <b>Zn</b>"] };
