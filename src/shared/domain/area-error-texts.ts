import type { AreaError } from './area.ts';

/** Dutch texts of the errors, to follow the area's name. */
export const AREA_ERROR_TEXTS: Readonly<Record<AreaError, string>> = {
  'few-corners': 'heeft minder dan drie hoeken',
  'many-corners': 'heeft meer dan 500 hoeken',
  'crosses-itself': 'kruist zichzelf',
  'no-surface': 'heeft geen oppervlak',
  'too-large': 'is breder dan 50 km',
  radius: 'heeft een straal van minder dan 10 m',
  'off-the-map': 'ligt niet op de kaart',
};
