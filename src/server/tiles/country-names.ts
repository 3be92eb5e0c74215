/** A country's Dutch name, the position of the name, and the zooms at which it is shown. */
export type CountryName = {
  readonly name: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly minZoom: number;
  readonly maxZoom: number;
};

type Row = readonly [name: string, latitude: number, longitude: number];

const countries = (minZoom: number, maxZoom: number, rows: readonly Row[]): CountryName[] =>
  rows.map(([name, latitude, longitude]) => ({ name, latitude, longitude, minZoom, maxZoom }));

export const COUNTRY_NAMES: readonly CountryName[] = [
  ...countries(7, 7, [['Nederland', 52.2, 5.75]]),
  ...countries(4, 8, [
    ['België', 50.62, 4.75],
    ['Duitsland', 51.1, 9.9],
  ]),
  ...countries(4, 7, [
    ['Frankrijk', 47, 2.4],
    ['Verenigd Koninkrijk', 54.3, -1.2],
    ['Ierland', 53.2, -8],
    ['Denemarken', 56.1, 9.3],
    ['Zwitserland', 46.75, 8.2],
    ['Oostenrijk', 47.5, 14.2],
    ['Tsjechië', 49.75, 15.4],
    ['Polen', 52.1, 19.3],
    ['Spanje', 39.8, -3.4],
    ['Portugal', 39.7, -8],
    ['Italië', 43, 12.3],
    ['Noorwegen', 61, 9],
    ['Zweden', 60.5, 15],
    ['Finland', 63, 26.5],
    ['Hongarije', 47, 19.4],
    ['Slowakije', 48.75, 19.5],
    ['Kroatië', 45.5, 16.3],
    ['Roemenië', 45.9, 25],
    ['Bulgarije', 42.7, 25.3],
    ['Servië', 44, 20.9],
    ['Griekenland', 39.5, 22],
    ['Oekraïne', 49.2, 31.5],
    ['Belarus', 53.6, 28],
    ['Litouwen', 55.3, 23.8],
    ['Letland', 56.8, 25.5],
    ['Estland', 58.7, 25.8],
    ['IJsland', 64.9, -18.5],
    ['Turkije', 39.1, 35],
    ['Marokko', 32, -6.2],
    ['Algerije', 30, 3],
    ['Tunesië', 34.2, 9.4],
  ]),
  ...countries(2, 5, [
    ['Verenigde Staten', 39.5, -98.5],
    ['Canada', 58, -105],
    ['Brazilië', -10, -53],
    ['Argentinië', -35, -65.5],
    ['Rusland', 61, 95],
    ['China', 35.5, 103],
    ['India', 22.5, 79],
    ['Australië', -25, 134],
    ['Zuid-Afrika', -30.5, 23.5],
    ['Groenland', 73, -41],
    ['Kazachstan', 48, 67],
    ['Egypte', 26.5, 29.5],
    ['Mexico', 23.8, -102],
  ]),
];
