import type { LabelColour } from '../domain/labels.ts';
import { FLEET_OWNER } from './organizations.ts';

/** A word that the demo's organization gives some of its machines. */
export type DemoLabel = {
  readonly organization: string;
  readonly labelName: string;
  readonly labelColour: LabelColour;
  /** Serial numbers. */
  readonly machines: readonly string[];
};

export const demoLabels: readonly DemoLabel[] = [
  {
    organization: FLEET_OWNER,
    labelName: 'Keuring in december',
    labelColour: 'orange',
    machines: ['STR26-0431', 'STR09-1122', 'KIP10-0904'],
  },
  {
    organization: FLEET_OWNER,
    labelName: 'Ploeg tunnels',
    labelColour: 'blue',
    machines: ['STR26-0519', 'KIP25-3318'],
  },
  {
    organization: FLEET_OWNER,
    labelName: 'Verhuurd',
    labelColour: 'green',
    machines: ['STR26-0417', 'STR09-1108', 'STR09-1122', 'KIP25-3301'],
  },
];
