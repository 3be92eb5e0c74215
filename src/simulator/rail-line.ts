import { type TravelPath, travelPath } from './path-geometry.ts';
import { latLon } from './work-sites.ts';

/** The railway from Amersfoort to Zwolle (Centraalspoorweg), points entered by hand from the map: stations and curves. */
export const AMERSFOORT_ZWOLLE: TravelPath = travelPath([
  latLon(52.1539, 5.3733), // Amersfoort Centraal
  latLon(52.158, 5.38),
  latLon(52.164, 5.389),
  latLon(52.1747, 5.4036), // Amersfoort Schothorst
  latLon(52.183, 5.418),
  latLon(52.192, 5.4335), // Amersfoort Vathorst
  latLon(52.202, 5.456),
  latLon(52.212, 5.479),
  latLon(52.2225, 5.492), // Nijkerk
  latLon(52.236, 5.517),
  latLon(52.25, 5.545),
  latLon(52.2645, 5.577), // Putten
  latLon(52.274, 5.586),
  latLon(52.287, 5.599),
  latLon(52.301, 5.6135), // Ermelo
  latLon(52.312, 5.619),
  latLon(52.325, 5.62),
  latLon(52.3379, 5.6206), // Harderwijk
  latLon(52.345, 5.65),
  latLon(52.353, 5.695),
  latLon(52.36, 5.735), // Hulshorst
  latLon(52.3694, 5.7869), // Nunspeet
  latLon(52.383, 5.825),
  latLon(52.397, 5.863),
  latLon(52.409, 5.892), // 't Harde
  latLon(52.425, 5.93),
  latLon(52.44, 5.967),
  latLon(52.4561, 6.0008), // Wezep
  latLon(52.472, 6.03),
  latLon(52.489, 6.059), // IJssel bridge
  latLon(52.4975, 6.075),
  latLon(52.5047, 6.0914), // Zwolle
]);
