import type { Label, Labels } from '#shared/contract/labels.ts';

/** Labels and favourites of the fleet. */
export type FleetLabels = {
  /** All labels that the user may see, sorted by name. */
  readonly labels: readonly Label[];
  /** Returns the labels of a machine, sorted by name; always the same array for machines without labels. */
  readonly ofMachine: (serial: string) => readonly Label[];
  readonly isFavourite: (serial: string) => boolean;
  /** Number of favourites. */
  readonly favourites: number;
};

const NONE: readonly Label[] = [];

/** Indexes the labels and favourites of a response by machine. */
export function labelsByMachine({ labels, favourites }: Labels): FleetLabels {
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

/** Returns the labels after a label is added to a machine or removed from it. */
export const labelsAfterChange = (all: Labels, id: number, serial: string, isOn: boolean): Labels => ({
  ...all,
  labels: all.labels.map((label) =>
    label._id === id ? { ...label, machines: changed(label.machines, serial, isOn) } : label,
  ),
});

/** Returns the labels and favourites after a machine becomes a favourite or stops being one. */
export const labelsAfterFavouriteChange = (all: Labels, serial: string, isOn: boolean): Labels => ({
  ...all,
  favourites: changed(all.favourites, serial, isOn),
});

const changed = (serials: readonly string[], serial: string, isOn: boolean): string[] => [
  ...serials.filter((one) => one !== serial),
  ...(isOn ? [serial] : []),
];
