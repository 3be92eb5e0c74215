import type { Administration } from '#server/machines/test/administration.ts';
import type { TestPortal } from '#server/test/portal.ts';
import type { LogAction } from '#shared/domain/log-text.ts';
import type { Person } from './people.ts';
import { markerOf, type PlantedMachine, type PlantedOrganization } from './planted.ts';
import type { WatchedApp } from './watched-app.ts';

/** The subject of a request: something of `user` and `logger-user`, or something that does not exist. */
export type RequestSubject = {
  readonly serial: string;
  readonly alias: string;
  readonly photo: string;
  readonly manual: string;
  readonly loggerid: string;
  readonly loggerAlias: string;
};

export type FreshSession = {
  /** Session of a person with equal rights, for a call that ends the account. */
  readonly ofColleague?: boolean;
  /** Ages the last re-authentication of the session. */
  readonly provedLongAgo?: boolean;
};

export type TestWorld = {
  readonly a: Administration;
  readonly watched: WatchedApp;
  readonly own: RequestSubject;
  readonly unknown: RequestSubject;
  /** Registration codes of the organizations, and an invalid code for people without one. */
  codeOf(person: Person): string;
  cookieOf(person: Person): string;
  /** A separate session, for a call that ends it or needs another session. */
  freshCookieOf(person: Person, how?: FreshSession): Promise<string>;
  /** Session of a person outside the table. */
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
/** @template Own what the noun has planted */
export type MakeRequest<Own = object> = (
  target: RequestSubject,
  world: TestWorld & Own,
  person: Person,
) => RequestParts;

/** Ids of the organizations, the machine or LMB logger of each, and the sessions of the people. Nouns plant in the order of their folders. */
export type Planting = {
  readonly a: Administration;
  readonly ids: ReadonlyMap<PlantedOrganization, number>;
  readonly planted: ReadonlyMap<PlantedOrganization, PlantedMachine>;
  cookieOf(person: Person): string;
};

/** Values of one field that are valid for the portal, and values that are invalid in a way specific to the field. */
export type FieldValues = { readonly good: readonly unknown[]; readonly odd?: readonly unknown[] };

/**
 * A noun as the tests that go through every call know it. A file noun.ts in its test folder exports it as `noun`.
 * @template Own what it plants
 * @template Others what its requests use of other nouns
 */
export type TestedNoun<Own = object, Others = object> = {
  /**
   * Its rows of the table of permissions, under a line with the people, and marks after the statuses (table.ts). Written by hand from
   * docs/requirements.md.
   */
  readonly permissions: string;
  /** By row: a complete, correct request about the target. A row that is not named here has a request without parameters. */
  readonly requests?: Readonly<Record<string, MakeRequest<Own & Others>>>;
  /** Stores something of every organization, with its marker. @returns what the requests need of it */
  readonly plant?: (portal: TestPortal, planting: Planting) => Promise<Own> | Promise<void>;
  /** Its calls whose requests here are refused or change nothing: the row of the log, and the test that checks it. */
  readonly loggedElsewhere?: Readonly<Record<string, readonly [LogAction, test: string]>>;
  /** Statements that store a row in each of its tables that version 1.0 lacks, for the test of an upgrade. */
  readonly rows?: readonly string[];
  /** Its tables with a stream id that have few rows per machine, and so are the same on every node of a cluster. */
  readonly administration?: readonly string[];
  /** Its authorization rules by the test that needs them: the test file, and a pattern of titles after ' > '. */
  readonly rules?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Fields of its calls for the fuzz, by the name of a parameter or property. */
  readonly fields?: Readonly<Record<string, FieldValues>>;
};

/** The range of calls about history. */
export const RANGE = { start: '-30d' };

/** Asks about the target by its serial number: in the body, in the path, and in the path with a range. */
export const requestBySerial: MakeRequest = (target) => ({ body: { serial: target.serial } });
export const requestBySerialInPath: MakeRequest = (target) => ({ params: { serial: target.serial } });
export const bySerialNumber: MakeRequest = (target) => ({
  params: { serialNumber: target.serial },
  query: RANGE,
});

/** An id that no row has, in the range of the column. */
export const NO_ID = 2_000_000_000;

/** Returns an existing id, or an unknown one when the request is about something unknown. */
export const idOf = <T>(target: RequestSubject, world: TestWorld, real: () => T): T | number =>
  target === world.own ? real() : NO_ID;

/** Asks about another organization by its name. */
export const requestByName: MakeRequest = (target, world) => ({
  query: { name: target === world.own ? markerOf('ander') : 'onbekend' },
});

/** Returns a token in the form of the portal's tokens, which the portal did not seal. */
export const forgedToken = (text: string): string => Buffer.from(text).toString('base64url');

/** Asks with the id of a thing in the body. @param more the other fields of the body */
export const requestById =
  <Own>(
    id: (world: TestWorld & Own) => number | string,
    more: Body | ((target: RequestSubject) => Body) = {},
    name = '_id',
  ): MakeRequest<Own> =>
  (target, world) => ({
    body: {
      ...(typeof more === 'function' ? more(target) : more),
      [name]: idOf(target, world, () => id(world)),
    },
  });

let names = 0;
/** Returns a name that nothing has yet. */
export function nextName(): string {
  names += 1;
  return `Kade ${names}`;
}

/** The organization of `user` (`own`), or another (`foreign`). */
export type TargetOwner = 'own' | 'foreign';

/** Returns a function that returns each id of a kind of thing once. */
export const takeNextId =
  <Thing extends string>(ids: Readonly<Record<Thing, number[]>>) =>
  (thing: Thing): number => {
    const id = ids[thing].shift();
    if (id === undefined) throw new Error(`No ${thing} is left`);
    return id;
  };

/** Texts that people may type. */
export const TEXT: FieldValues = { good: ['Volta', 'EX 14', 'Één', "O'Neill & <b>Zn</b>"] };
