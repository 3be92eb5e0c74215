import type { Label, Labels } from '#shared/contract/labels.ts';

/** What the screens ask of labels and favourites. */
export type FleetLabels = {
  /** By name. */
  readonly labels: readonly Label[];
  /** Those that a machine carries, by name; for a machine without always the very same list. */
  readonly ofMachine: (serial: string) => readonly Label[];
  readonly isFavourite: (serial: string) => boolean;
  /** How many favourites there are. */
  readonly favourites: number;
};

const NONE: readonly Label[] = [];

/** An answer by machine. */
export function byMachine({ labels, favourites }: Labels): FleetLabels {
  const carried = new Map<string, Label[]>();
  for (const label of labels)
    for (const serial of label.machines) {
      const others = carried.get(serial);
      if (others) others.push(label);
      else carried.set(serial, [label]);
    }
  const chosen = new Set(favourites);
  return {
    labels,
    ofMachine: (serial) => carried.get(serial) ?? NONE,
    isFavourite: (serial) => chosen.has(serial),
    favourites: chosen.size,
  };
}

/** The answer as it is once a machine carries a label, or carries it no more. */
export const withLabel = (all: Labels, id: number, serial: string, isOn: boolean): Labels => ({
  ...all,
  labels: all.labels.map((label) =>
    label._id === id ? { ...label, machines: changed(label.machines, serial, isOn) } : label,
  ),
});

/** The same with a favourite. */
export const withFavourite = (all: Labels, serial: string, isOn: boolean): Labels => ({
  ...all,
  favourites: changed(all.favourites, serial, isOn),
});

const changed = (serials: readonly string[], serial: string, isOn: boolean): string[] => [
  ...serials.filter((one) => one !== serial),
  ...(isOn ? [serial] : []),
];
