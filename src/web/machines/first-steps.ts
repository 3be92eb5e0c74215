import { useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { MachineListEntry } from '#shared/contract/machines.ts';
import type { LoggerHealth } from '#shared/contract/writers.ts';
import { isActionAllowed } from '#shared/domain/access.ts';
import {
  doneFirstSteps,
  type FirstStep,
  furthestSetUpMachine,
  type NewMachine,
  needsFirstSteps,
} from '#shared/domain/first-steps.ts';
import { countOpenProposals } from '#shared/domain/open-proposals.ts';
import { useFleet } from '#web/live/live.ts';
import type { FleetEntry } from '#web/live/live-snapshot.ts';
import { readQuery } from '#web/queries/read.ts';
import { useUser } from '#web/session/user.ts';
import { machineOrLoggerPath } from './page-path.ts';

/** The logger health is requested for at most this many machines: a single machine with a mapping completes the step `definition`. */
const MAX_ASKED_MACHINES = 5;

/** Progress towards the first machine on the map. */
export type FirstSteps = {
  readonly done: ReadonlySet<FirstStep>;
  /** The page of each step; undefined for a step that the user has no right to do. */
  readonly paths: Readonly<Record<FirstStep, string | undefined>>;
  /** Number of proposed signal mappings that are not accepted yet, for the machine whose set-up has progressed furthest. */
  readonly openProposals: number;
  /** The query of organizations or of machines whose failure the guide shows. */
  readonly query: {
    readonly error: unknown;
    readonly isFetching: boolean;
    readonly refetch: () => Promise<unknown>;
  };
};

/**
 * Returns the first steps for a user who may create machines, until a logger has uploaded for the first time; undefined for other
 * users, after that upload, and while the lists load.
 */
export function useFirstSteps(): FirstSteps | undefined {
  const user = useUser();
  const fleet = useFleet();
  const isShown = useMemo(() => needsFirstSteps(fleet), [fleet]) && isActionAllowed(user, 'manage-machines');
  const organizations = useQuery({
    // Shares the query key of the organizations page.
    ...readQuery('GET /api/organization/get'),
    enabled: isShown,
  });
  const listed = useQuery({
    ...readQuery('GET /api/machine/get/all'),
    enabled: isShown,
  });
  // The list is indexed only while the first steps are shown, although other pages may have loaded it.
  const withDbc = useMemo(() => serialsWithDbc(isShown ? listed.data : undefined), [isShown, listed.data]);
  // LMB loggers are not in the list of machines, so their health must show whether they have a DBC file.
  const asked = isShown
    ? fleet
        .filter(({ metadata }) => metadata.kind === 'logger' || withDbc.has(metadata.serialNumber))
        .slice(0, MAX_ASKED_MACHINES)
        .map(serialOf)
    : [];
  const health = useQueries({
    queries: asked.map((serial) => ({
      ...readQuery('GET /api/machine/writer/health/:serial', { params: { serial } }),
    })),
  });
  // Machines are examined only while the first steps are shown.
  const machines = (isShown ? fleet : []).map((entry) =>
    machineOf(entry, withDbc, health[asked.indexOf(serialOf(entry))]?.data),
  );
  const leading = isShown ? furthestSetUpMachine(machines) : undefined;
  const definition = useQuery({
    ...readQuery('GET /api/machine/dbc/:serial', { params: { serial: leading?.serial ?? '' } }),
    enabled: leading?.hasDbc === true,
  });
  if (!isShown) return undefined;
  const query = organizations.error ? organizations : listed;
  const hasCome = organizations.data !== undefined && listed.data !== undefined;
  if (!hasCome && !query.error) return undefined;
  const entry = fleet.find((one) => serialOf(one) === leading?.serial);
  return {
    openProposals: leading && definition.data ? countOpenProposals(definition.data.proposals) : 0,
    done: doneFirstSteps(organizations.data ?? [], machines),
    paths: {
      organization: isActionAllowed(user, 'manage-organizations') ? '/organization/nieuw' : undefined,
      machine: '/machine/nieuw',
      // Without a machine, this step and the next one lead to the form of a new machine, which takes a DBC file and a
      // logger too.
      definition: leading
        ? `/machine/edit/${encodeURIComponent(leading.serial)}/definitie`
        : '/machine/nieuw',
      logger: entry ? settingsPath(entry, fleet) : '/machine/nieuw',
      upload: '/machine/handleiding',
    },
    query,
  };
}

const serialsWithDbc = (listed: readonly MachineListEntry[] = []): ReadonlySet<string> =>
  new Set(listed.filter(({ hasDefinition }) => hasDefinition).map(({ serialNumber }) => serialNumber));

const serialOf = ({ metadata }: FleetEntry): string => metadata.serialNumber;

function machineOf(
  { metadata }: FleetEntry,
  withDbc: ReadonlySet<string>,
  health: LoggerHealth | undefined,
): NewMachine {
  const missing = health?.missingSteps ?? [];
  const isListed = withDbc.has(metadata.serialNumber);
  return {
    serial: metadata.serialNumber,
    // Whether there is a DBC file is known from the list for machines, and from the logger's health for LMB loggers.
    hasDbc: isListed || (metadata.kind === 'logger' && health !== undefined && !missing.includes('dbc')),
    // Also true without a logger, because its health then lists no missing signals: the next step is the logger, not the mapping.
    hasMapping: health !== undefined && !missing.includes('signals'),
    hasLogger: metadata.loggerId !== '',
  };
}

/** Returns the path of the page on which a logger is bound: a machine's form, or an LMB logger's page. */
const settingsPath = ({ metadata }: FleetEntry, fleet: readonly FleetEntry[]): string =>
  metadata.kind === 'machine'
    ? `/machine/edit/${encodeURIComponent(metadata.serialNumber)}`
    : machineOrLoggerPath(metadata, fleet);
