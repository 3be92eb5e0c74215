/** Work sites of the demo's machines, entered by hand from the map of the Netherlands; degrees, WGS 84. */

export type LatLon = { readonly lat: number; readonly lon: number };

export const latLon = (lat: number, lon: number): LatLon => ({ lat, lon });

export const SITES = {
  utrecht: latLon(52.101, 5.048), // Leidsche Rijn
  amersfoort: latLon(52.209, 5.419), // Vathorst
  zwolle: latLon(52.538, 6.135), // Hessenpoort
  hoogeveen: latLon(52.72, 6.47),
  groningen: latLon(53.206, 6.62), // Eemspoort
  assen: latLon(52.985, 6.57),
  apeldoorn: latLon(52.179, 6.028), // Ecofactorij
  arnhem: latLon(51.956, 5.858), // Schuytgraaf
  leeuwarden: latLon(53.19, 5.76), // De Zwette
  heerenveen: latLon(52.945, 5.93),
  goes: latLon(51.495, 3.9),
  middelburg: latLon(51.488, 3.638), // Mortiere
  barendrecht: latLon(51.858, 4.535),
  teteringen: latLon(51.611, 4.82),
  enschede: latLon(52.216, 6.84), // Marssteden
  deventer: latLon(52.233, 6.218),
  ypenburg: latLon(52.04, 4.365),
  leiden: latLon(52.168, 4.465),
  maastricht: latLon(50.845, 5.72),
  sittard: latLon(51.003, 5.846),
  tilburg: latLon(51.573, 4.993), // Reeshof
  rosmalen: latLon(51.717, 5.36),
  eindhoven: latLon(51.442, 5.416), // Meerhoven
  weert: latLon(51.248, 5.7),
  lent: latLon(51.865, 5.868),
  ede: latLon(52.029, 5.65),
  heerhugowaard: latLon(52.668, 4.84),
  purmerend: latLon(52.525, 4.965), // Baanstee
  almere: latLon(52.394, 5.278),
  lelystad: latLon(52.499, 5.483),
  zuidas: latLon(52.338, 4.873),
  rottemeren: latLon(51.968, 4.513), // motorway tunnel
  vlaardingen: latLon(51.919, 4.305), // motorway tunnel
  kijfhoek: latLon(51.8217, 4.627), // marshalling yard
  roosendaal: latLon(51.5405, 4.4583), // station yard
  gouda: latLon(52.0175, 4.7045),
  laanVanNoi: latLon(52.078, 4.343), // The Hague
  zwolleStation: latLon(52.5047, 6.0914),
  deventerStation: latLon(52.2575, 6.1606),
  breda: latLon(51.5956, 4.78),
  tilburgStation: latLon(51.5606, 5.0836),
  denBosch: latLon(51.69, 5.2939),
  eindhovenStation: latLon(51.4433, 5.4814),
  watergraafsmeer: latLon(52.3515, 4.958), // yard
  hilversum: latLon(52.2258, 5.1817),
} as const satisfies Record<string, LatLon>;

export type SiteName = keyof typeof SITES;
