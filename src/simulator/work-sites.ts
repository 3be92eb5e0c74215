/** Work sites of the demo's machines, entered by hand from the map of the Netherlands; degrees, WGS 84. */

export type LatLon = { readonly lat: number; readonly lon: number };

export const at = (lat: number, lon: number): LatLon => ({ lat, lon });

export const SITES = {
  utrecht: at(52.101, 5.048), // Leidsche Rijn
  amersfoort: at(52.209, 5.419), // Vathorst
  zwolle: at(52.538, 6.135), // Hessenpoort
  hoogeveen: at(52.72, 6.47),
  groningen: at(53.206, 6.62), // Eemspoort
  assen: at(52.985, 6.57),
  apeldoorn: at(52.179, 6.028), // Ecofactorij
  arnhem: at(51.956, 5.858), // Schuytgraaf
  leeuwarden: at(53.19, 5.76), // De Zwette
  heerenveen: at(52.945, 5.93),
  goes: at(51.495, 3.9),
  middelburg: at(51.488, 3.638), // Mortiere
  barendrecht: at(51.858, 4.535),
  teteringen: at(51.611, 4.82),
  enschede: at(52.216, 6.84), // Marssteden
  deventer: at(52.233, 6.218),
  ypenburg: at(52.04, 4.365),
  leiden: at(52.168, 4.465),
  maastricht: at(50.845, 5.72),
  sittard: at(51.003, 5.846),
  tilburg: at(51.573, 4.993), // Reeshof
  rosmalen: at(51.717, 5.36),
  eindhoven: at(51.442, 5.416), // Meerhoven
  weert: at(51.248, 5.7),
  lent: at(51.865, 5.868),
  ede: at(52.029, 5.65),
  heerhugowaard: at(52.668, 4.84),
  purmerend: at(52.525, 4.965), // Baanstee
  almere: at(52.394, 5.278),
  lelystad: at(52.499, 5.483),
  zuidas: at(52.338, 4.873),
  rottemeren: at(51.968, 4.513), // motorway tunnel
  vlaardingen: at(51.919, 4.305), // motorway tunnel
  kijfhoek: at(51.8217, 4.627), // marshalling yard
  roosendaal: at(51.5405, 4.4583), // station yard
  gouda: at(52.0175, 4.7045),
  laanVanNoi: at(52.078, 4.343), // The Hague
  zwolleStation: at(52.5047, 6.0914),
  deventerStation: at(52.2575, 6.1606),
  breda: at(51.5956, 4.78),
  tilburgStation: at(51.5606, 5.0836),
  denBosch: at(51.69, 5.2939),
  eindhovenStation: at(51.4433, 5.4814),
  watergraafsmeer: at(52.3515, 4.958), // yard
  hilversum: at(52.2258, 5.1817),
} as const satisfies Record<string, LatLon>;

export type SiteName = keyof typeof SITES;
