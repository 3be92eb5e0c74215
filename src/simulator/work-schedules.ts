import { type LatLon, latLon, SITES, type SiteName } from './work-sites.ts';

/** Deployment of each machine of the demo: its working hours, its two sites and the road between them. */

/** The part of the day in which a crew works; `continuous`: around the clock, as rail and tunnel crews do. */
export type CrewRhythm = 'day' | 'evening' | 'night' | 'continuous';

export type SimulatedDeployment = {
  readonly rhythm: CrewRhythm;
  /** Site at which the machine is charged after each shift. */
  readonly base: LatLon;
  readonly second: LatLon;
  /** Points of the road from the base to the second site. */
  readonly via: readonly LatLon[];
  /** Whether the machine drives between its sites; otherwise a low loader carries it. */
  readonly ownWheels: boolean;
  /** Whether the machine's logger has been silent for a while (demo-loggers.ts). */
  readonly silent: boolean;
  /** Defect of the machine or mistake of its crew, which causes alerts in the demo. */
  readonly trouble: MachineTrouble | undefined;
  /** Start of a continuous crew's cycles, as a share (0 to 1) of the six hours of a cycle; differs per crew. */
  readonly cycleOffset: number;
};

/**
 * A defect of a machine or a mistake of its crew. `worn pack`: an aged pack discharges faster than the others. `loose plug`: on
 * Thursdays charging starts late after plugging in, and on every fourth Thursday only in the night. `loose wire`: on Wednesday
 * mornings the last pack sends nothing. `late transport`: on every fourth Tuesday a low loader carries the machine home after working
 * hours. `fast driver`: on every fourth Tuesday the machine drives home too fast.
 */
export type MachineTrouble = 'worn pack' | 'loose plug' | 'loose wire' | 'late transport' | 'fast driver';

type Row = readonly [rhythm: CrewRhythm, base: SiteName, second: SiteName, via: readonly LatLon[]];

/** Deployments by machine serial number. */
const rows: Readonly<Record<string, Row>> = {
  'STR26-0417': [
    'day',
    'utrecht',
    'amersfoort',
    [
      latLon(52.068, 5.064),
      latLon(52.06, 5.128),
      latLon(52.088, 5.154),
      latLon(52.127, 5.3),
      latLon(52.178, 5.44),
    ],
  ],
  'STR26-0431': [
    'day',
    'zwolle',
    'hoogeveen',
    [latLon(52.6, 6.18), latLon(52.65, 6.22), latLon(52.69, 6.33)],
  ],
  'STR26-0502': ['day', 'groningen', 'assen', [latLon(53.17, 6.59), latLon(53.09, 6.6), latLon(53.03, 6.59)]],
  'STR26-0519': ['continuous', 'rottemeren', 'vlaardingen', [latLon(51.955, 4.44), latLon(51.925, 4.36)]],
  'STR09-1108': ['day', 'apeldoorn', 'arnhem', [latLon(52.1, 5.98), latLon(52.03, 5.91)]],
  'STR09-1122': [
    'day',
    'leeuwarden',
    'heerenveen',
    [latLon(53.12, 5.81), latLon(53.04, 5.85), latLon(52.98, 5.89)],
  ],
  'STR09-1140': ['day', 'goes', 'middelburg', [latLon(51.485, 3.83), latLon(51.49, 3.73)]],
  'BK110-7731': [
    'day',
    'barendrecht',
    'teteringen',
    [latLon(51.82, 4.63), latLon(51.72, 4.635), latLon(51.65, 4.69)],
  ],
  'BK110-7740': [
    'day',
    'enschede',
    'deventer',
    [latLon(52.26, 6.72), latLon(52.3, 6.55), latLon(52.25, 6.35)],
  ],
  'BK60-2216': ['day', 'ypenburg', 'leiden', [latLon(52.09, 4.4), latLon(52.13, 4.455)]],
  'BK60-2233': ['day', 'maastricht', 'sittard', [latLon(50.89, 5.77), latLon(50.95, 5.8)]],
  'VLT17-A093': [
    'day',
    'tilburg',
    'rosmalen',
    [latLon(51.675, 5.07), latLon(51.69, 5.22), latLon(51.695, 5.32)],
  ],
  'VLT17-A101': ['day', 'eindhoven', 'weert', [latLon(51.4, 5.45), latLon(51.35, 5.53), latLon(51.28, 5.62)]],
  'VLT2-B014': ['day', 'lent', 'ede', [latLon(51.89, 5.79), latLon(51.96, 5.77), latLon(52.01, 5.72)]],
  'VLT2-B027': ['evening', 'heerhugowaard', 'purmerend', [latLon(52.615, 4.86), latLon(52.56, 4.9)]],
  'KIP25-3301': ['day', 'almere', 'lelystad', [latLon(52.43, 5.37)]],
  'KIP25-3318': ['continuous', 'vlaardingen', 'rottemeren', [latLon(51.925, 4.36), latLon(51.955, 4.44)]],
  'KIP10-0904': [
    'evening',
    'zuidas',
    'purmerend',
    [latLon(52.37, 4.843), latLon(52.435, 4.89), latLon(52.475, 4.93)],
  ],
  'RH220-5101': ['continuous', 'kijfhoek', 'roosendaal', [latLon(51.72, 4.635), latLon(51.6, 4.55)]],
  'RH220-5109': [
    'continuous',
    'gouda',
    'laanVanNoi',
    [latLon(52.035, 4.6), latLon(52.06, 4.48), latLon(52.066, 4.4)],
  ],
  'RH220-5120': ['night', 'zwolleStation', 'deventerStation', [latLon(52.4, 6.14), latLon(52.31, 6.12)]],
  'RH160-6004': ['continuous', 'breda', 'tilburgStation', [latLon(51.575, 4.9), latLon(51.57, 5)]],
  'RH160-6011': ['continuous', 'denBosch', 'eindhovenStation', [latLon(51.58, 5.33), latLon(51.5, 5.4)]],
  'RH160-6019': ['continuous', 'watergraafsmeer', 'hilversum', [latLon(52.335, 5.02), latLon(52.28, 5.16)]],
};

const OWN_WHEELS: ReadonlySet<string> = new Set(['BK60-2216', 'BK60-2233', 'VLT17-A093']);
const SILENT: ReadonlySet<string> = new Set(['STR09-1140']);
const TROUBLES: Readonly<Record<string, MachineTrouble>> = {
  'BK110-7731': 'late transport',
  'BK110-7740': 'worn pack',
  'VLT2-B014': 'loose plug',
  'VLT17-A093': 'fast driver',
  'VLT17-A101': 'loose wire',
};

/** Serial numbers of the machines with continuous crews, in the order in which the crews start their cycles. */
const continuousCrews: readonly string[] = Object.keys(rows).filter(
  (serial) => rows[serial]![0] === 'continuous',
);

/** Returns the deployment of a demo machine. @throws Error for an unknown serial number */
export function deploymentOf(serialNumber: string): SimulatedDeployment {
  const row = rows[serialNumber];
  if (!row) throw new Error(`no deployment for demo machine ${serialNumber}`);
  const [rhythm, base, second, via] = row;
  return {
    rhythm,
    base: SITES[base],
    second: SITES[second],
    via,
    ownWheels: OWN_WHEELS.has(serialNumber),
    silent: SILENT.has(serialNumber),
    trouble: TROUBLES[serialNumber],
    cycleOffset: rhythm === 'continuous' ? continuousCrews.indexOf(serialNumber) / continuousCrews.length : 0,
  };
}
