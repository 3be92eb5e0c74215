/** The colours that a label may have, with what they are called: the label's word always stands in it. */
export const LABEL_COLOURS = {
  red: 'rood',
  orange: 'oranje',
  yellow: 'geel',
  green: 'groen',
  blue: 'blauw',
  purple: 'paars',
  grey: 'grijs',
} as const;
export type LabelColour = keyof typeof LABEL_COLOURS;
export const LABEL_COLOUR_NAMES = Object.keys(LABEL_COLOURS) as [LabelColour, ...LabelColour[]];

/** Of one organization, and on one machine. */
export const MOST_LABELS = 200;
export const MOST_LABELS_OF_MACHINE = 20;
/** Of a label's name. */
export const LABEL_CHARACTERS = 30;
