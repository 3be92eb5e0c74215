import type { Area } from '../domain/area.ts';
import type { TerreinKind } from '../domain/terrein-kinds.ts';
import { FLEET_OWNER } from './organizations.ts';

/** A terrein in the demo, where some machines stand (src/simulator/work-sites.ts). */
export type DemoTerrein = {
  readonly organization: string;
  readonly terreinName: string;
  readonly terreinKind: TerreinKind;
  readonly areas: readonly Area[];
};

export const demoTerreinen: readonly DemoTerrein[] = [
  {
    organization: FLEET_OWNER,
    terreinName: 'Depot Lelystad',
    terreinKind: 'depot',
    areas: [{ centre: { lat: 52.499, lon: 5.483 }, radiusMetres: 400 }],
  },
  {
    organization: FLEET_OWNER,
    terreinName: 'Werf Goes',
    terreinKind: 'yard',
    areas: [{ centre: { lat: 51.495, lon: 3.9 }, radiusMetres: 400 }],
  },
  {
    // This terrein lies inside the area of a project.
    organization: FLEET_OWNER,
    terreinName: 'Werkplaats Barendrecht',
    terreinKind: 'workshop',
    areas: [{ centre: { lat: 51.858, lon: 4.535 }, radiusMetres: 250 }],
  },
];
