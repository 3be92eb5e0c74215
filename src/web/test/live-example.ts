/** Live data for tests. */
import type { LiveEntry } from '#shared/contract/live.ts';
import { type FleetEntry, reuseUnchanged } from '#web/live/live-snapshot.ts';
import type { User } from '#web/session/user.ts';

/** A machine that just reported; `changes` go into its live data. */
export const aLiveEntry = (serialNumber: string, changes: Record<string, number> = {}): LiveEntry => ({
  metadata: {
    kind: 'machine',
    serialNumber,
    organization: 'vanderven',
    cleanorg: 'Van der Ven',
    alias: `Graver ${serialNumber}`,
    brand: 'Volvo',
    model: 'ECR25',
    macaddress: '',
    loggerId: '0012345',
    batteries: [{ capacity: 20 }, { capacity: null }],
    hulpstukken: [{ naam: 'Bak', nummer: 4 }],
  },
  liveData: { LATITUDE: 52.1, LONGITUDE: 5.2, GMT_UNIX: 1_790_000_000, Soc1: 80, ...changes },
});

/** A live entry with its attention reasons. */
export const aFleetEntry = (serialNumber: string, changes?: Record<string, number>): FleetEntry =>
  reuseUnchanged(aLiveEntry(serialNumber, changes), undefined);

/** The text of GET /api/live with these entries. */
export const aLiveAnswer = (...entries: LiveEntry[]): string =>
  JSON.stringify(
    Object.fromEntries(
      entries.map(({ metadata, liveData }) => [metadata.serialNumber, { metadata, liveData }]),
    ),
  );

export const aUser = (email: string): User => ({
  email,
  name: undefined,
  organization: 'vanderven',
  organizationName: 'Van der Ven',
  isLmbCustomer: false,
  role: 'gebruiker',
  isConfirmed: true,
  seesRoutes: true,
});
