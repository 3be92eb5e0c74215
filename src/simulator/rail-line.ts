import { type TravelPath, travelPath } from './path-geometry.ts';
import { at } from './work-sites.ts';

/** The railway from Amersfoort to Zwolle (Centraalspoorweg), points entered by hand from the map: stations and curves. */
export const AMERSFOORT_ZWOLLE: TravelPath = travelPath([
  at(52.1539, 5.3733), // Amersfoort Centraal
  at(52.158, 5.38),
  at(52.164, 5.389),
  at(52.1747, 5.4036), // Amersfoort Schothorst
  at(52.183, 5.418),
  at(52.192, 5.4335), // Amersfoort Vathorst
  at(52.202, 5.456),
  at(52.212, 5.479),
  at(52.2225, 5.492), // Nijkerk
  at(52.236, 5.517),
  at(52.25, 5.545),
  at(52.2645, 5.577), // Putten
  at(52.274, 5.586),
  at(52.287, 5.599),
  at(52.301, 5.6135), // Ermelo
  at(52.312, 5.619),
  at(52.325, 5.62),
  at(52.3379, 5.6206), // Harderwijk
  at(52.345, 5.65),
  at(52.353, 5.695),
  at(52.36, 5.735), // Hulshorst
  at(52.3694, 5.7869), // Nunspeet
  at(52.383, 5.825),
  at(52.397, 5.863),
  at(52.409, 5.892), // 't Harde
  at(52.425, 5.93),
  at(52.44, 5.967),
  at(52.4561, 6.0008), // Wezep
  at(52.472, 6.03),
  at(52.489, 6.059), // IJssel bridge
  at(52.4975, 6.075),
  at(52.5047, 6.0914), // Zwolle
]);
