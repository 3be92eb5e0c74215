/** The steps from an empty portal to the first machine on the map, and which of them are done (54.5a). */
import { ADMIN_ORGANIZATION } from './access.ts';
import { wasEverSeen } from './staleness.ts';

/** The steps in the order in which people do them. */
export const FIRST_STEPS = ['organization', 'machine', 'definition', 'logger', 'upload'] as const;
export type FirstStep = (typeof FIRST_STEPS)[number];

/** A machine or LMB logger, and how far its set-up has progressed. */
export type NewMachine = {
  /** Serial number or loggerid. */
  readonly serial: string;
  readonly hasDbc: boolean;
  /** Signals of the DBC file are mapped. */
  readonly hasMapping: boolean;
  readonly hasLogger: boolean;
};

type LiveTimes = readonly { readonly liveData: { readonly GMT_UNIX: number } }[];

/** Returns true until the portal has received its first upload. */
export const needsFirstSteps = (fleet: LiveTimes): boolean =>
  !fleet.some(({ liveData }) => wasEverSeen(liveData.GMT_UNIX));

/** Returns the machine whose set-up has progressed furthest, the first of equals: the next steps are about this machine. */
export function furthestSetUpMachine(machines: readonly NewMachine[]): NewMachine | undefined {
  const progressOf = ({ hasDbc, hasMapping, hasLogger }: NewMachine): number =>
    Number(hasDbc && hasMapping) * 4 + Number(hasDbc) * 2 + Number(hasLogger);
  return machines.toSorted((one, other) => progressOf(other) - progressOf(one))[0];
}

/** Returns the steps that are done. A later step may be done before an earlier one: the form of a new machine also binds a logger. */
export function doneFirstSteps(
  organizations: readonly { readonly name: string }[],
  machines: readonly NewMachine[],
): ReadonlySet<FirstStep> {
  const isDone: Readonly<Record<Exclude<FirstStep, 'upload'>, boolean>> = {
    organization: organizations.some(({ name }) => name !== ADMIN_ORGANIZATION),
    machine: machines.length > 0,
    definition: machines.some(({ hasDbc, hasMapping }) => hasDbc && hasMapping),
    logger: machines.some(({ hasLogger }) => hasLogger),
  };
  return new Set(FIRST_STEPS.filter((step) => step !== 'upload' && isDone[step]));
}
