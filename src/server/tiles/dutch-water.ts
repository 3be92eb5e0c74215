import type { Feature, LineString, Polygon } from 'geojson';

type Degrees = [longitude: number, latitude: number][];

/**
 * Waters that make the Netherlands recognizable, and that the outline of the countries lacks. The points of this lake's shore, as those of
 * the other waters, were entered by hand, accurate to about a kilometre.
 */
const ijsselmeer: Degrees = [
  [5.07, 52.93], // Den Oever, then along the Afsluitdijk
  [5.1, 52.945],
  [5.35, 53.068],
  [5.41, 53.06], // Makkum
  [5.41, 52.97],
  [5.4, 52.935], // Hindeloopen
  [5.36, 52.9],
  [5.355, 52.87], // Stavoren
  [5.39, 52.847],
  [5.55, 52.838],
  [5.7, 52.843], // Lemmer
  [5.66, 52.79],
  [5.62, 52.74],
  [5.6, 52.69],
  [5.592, 52.66], // Urk
  [5.66, 52.625],
  [5.78, 52.618], // Ketelmeer
  [5.86, 52.605],
  [5.84, 52.59],
  [5.7, 52.59],
  [5.63, 52.598],
  [5.54, 52.57],
  [5.44, 52.53], // Lelystad, then along the Houtribdijk
  [5.422, 52.635],
  [5.3, 52.697], // Enkhuizen
  [5.26, 52.74],
  [5.2, 52.757], // Andijk
  [5.12, 52.765], // Medemblik
  [5.12, 52.81],
  [5.11, 52.865],
];

const markermeer: Degrees = [
  [5.29, 52.69], // Enkhuizen
  [5.408, 52.63],
  [5.425, 52.515], // Lelystad
  [5.34, 52.455],
  [5.22, 52.403],
  [5.14, 52.38], // Almere
  [5.135, 52.343],
  [5.07, 52.337], // Muiden
  [5.02, 52.35],
  [4.99, 52.378], // Durgerdam
  [5.05, 52.4],
  [5.075, 52.425], // Uitdam
  [5.04, 52.455], // Monnickendam
  [5.075, 52.49], // Volendam
  [5.075, 52.54],
  [5.03, 52.6],
  [5.06, 52.635], // Hoorn
  [5.13, 52.63],
  [5.19, 52.628],
  [5.25, 52.66],
];

const borderLakes: Degrees = [
  [5.135, 52.34], // Muiderberg, round Flevoland to the Ketelmeer
  [5.24, 52.31],
  [5.34, 52.285],
  [5.43, 52.252], // Nijkerk
  [5.51, 52.275],
  [5.58, 52.32],
  [5.63, 52.362], // Harderwijk
  [5.74, 52.415],
  [5.81, 52.46], // Elburg
  [5.85, 52.52],
  [5.85, 52.6],
];

const rijnAndLek: Degrees = [
  [6.1, 51.85], // Tolkamer
  [6.03, 51.88],
  [5.94, 51.95],
  [5.91, 51.978], // Arnhem
  [5.78, 51.965],
  [5.67, 51.965], // Wageningen
  [5.57, 51.96], // Rhenen
  [5.35, 51.97], // Wijk bij Duurstede
  [5.22, 51.967], // Culemborg
  [5.09, 51.983],
  [4.99, 51.945],
  [4.86, 51.935], // Schoonhoven
  [4.63, 51.89],
  [4.5, 51.91], // Rotterdam
  [4.32, 51.9],
  [4.13, 51.975], // Hoek van Holland
];

const waalAndMerwede: Degrees = [
  [6.03, 51.88],
  [5.94, 51.865],
  [5.86, 51.853], // Nijmegen
  [5.74, 51.89],
  [5.6, 51.895],
  [5.43, 51.88], // Tiel
  [5.25, 51.817], // Zaltbommel
  [5.0, 51.815],
  [4.96, 51.825], // Gorinchem
  [4.79, 51.822],
  [4.66, 51.818], // Dordrecht
];

const ijssel: Degrees = [
  [5.94, 51.955], // Arnhem
  [6.07, 51.99],
  [6.15, 52.02], // Doesburg
  [6.2, 52.09],
  [6.19, 52.14], // Zutphen
  [6.155, 52.25], // Deventer
  [6.11, 52.35],
  [6.09, 52.42],
  [6.06, 52.5], // Zwolle
  [5.92, 52.555], // Kampen
  [5.86, 52.59],
];

const maas: Degrees = [
  [5.69, 50.76],
  [5.695, 50.85], // Maastricht
  [5.76, 50.97],
  [5.82, 51.1],
  [5.98, 51.195], // Roermond
  [6.16, 51.37], // Venlo
  [6.15, 51.47],
  [6.02, 51.57],
  [5.97, 51.64], // Boxmeer
  [5.87, 51.74],
  [5.68, 51.8],
  [5.5, 51.81],
  [5.33, 51.74],
  [5.18, 51.745],
  [5.02, 51.72],
  [4.82, 51.715],
  [4.6, 51.71], // Moerdijk
  [4.42, 51.725],
];

/** Lakes, filled with water. */
export const DUTCH_LAKES: readonly Feature<Polygon>[] = [ijsselmeer, markermeer].map((shore) => ({
  type: 'Feature',
  properties: { kind: 'lake' },
  geometry: { type: 'Polygon', coordinates: [[...shore, shore[0]!]] },
}));

const riverOf = (coordinates: Degrees, widthMetres: number): Feature<LineString> => ({
  type: 'Feature',
  properties: { kind: 'river', widthMetres },
  geometry: { type: 'LineString', coordinates },
});

/** Narrow lakes and rivers, drawn as lines of water with an approximate width in metres. */
export const DUTCH_RIVERS: readonly Feature<LineString>[] = [
  riverOf(borderLakes, 1200),
  riverOf(rijnAndLek, 350),
  riverOf(waalAndMerwede, 450),
  riverOf(ijssel, 250),
  riverOf(maas, 250),
];
