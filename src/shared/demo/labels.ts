import type { WorkWeek } from '../domain/alerts/work-week.ts';
import type { LabelColour } from '../domain/labels.ts';
import { FLEET_OWNER } from './organizations.ts';
import { CONTINUOUS_CREW, EVENING_CREW, NIGHT_CREW } from './work-weeks.ts';

/** A label in the demo. */
export type DemoLabel = {
  readonly organization: string;
  readonly labelName: string;
  readonly labelColour: LabelColour;
  /** Serial numbers. */
  readonly machines: readonly string[];
  /** Own work week, which overrides the organization's. */
  readonly week?: WorkWeek;
};

export const demoLabels: readonly DemoLabel[] = [
  {
    organization: FLEET_OWNER,
    labelName: 'Avondploeg',
    labelColour: 'purple',
    machines: ['VLT2-B027', 'KIP10-0904'],
    week: EVENING_CREW,
  },
  {
    organization: FLEET_OWNER,
    labelName: 'Dag en nacht',
    labelColour: 'red',
    machines: [
      'STR26-0519',
      'KIP25-3318',
      'RH220-5101',
      'RH220-5109',
      'RH160-6004',
      'RH160-6011',
      'RH160-6019',
    ],
    week: CONTINUOUS_CREW,
  },
  {
    organization: FLEET_OWNER,
    labelName: 'Nachtploeg',
    labelColour: 'grey',
    machines: ['RH220-5120'],
    week: NIGHT_CREW,
  },
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
