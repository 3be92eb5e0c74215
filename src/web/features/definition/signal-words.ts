/** Our signals in Dutch, for who maps them (DESIGN.md section 1). */

type SignalWords = { readonly word: string; readonly unit?: string };

const WORDS: Readonly<Record<string, SignalWords>> = {
  LATITUDE: { word: 'Breedtegraad', unit: 'graden' },
  LONGITUDE: { word: 'Lengtegraad', unit: 'graden' },
  MotorSpeed: { word: 'Motortoerental', unit: 'rpm' },
  ChargingCurrent: { word: 'Laadstroom', unit: 'A' },
  ChargingVoltage: { word: 'Laadspanning', unit: 'V' },
  BatteryCurrent: { word: 'Accustroom', unit: 'A, positief bij ontladen' },
  BatteryVoltage: { word: 'Accuspanning', unit: 'V' },
  Speed: { word: 'Snelheid', unit: 'km/h' },
  Machinestatus: { word: 'Machinestatus', unit: 'code' },
  Spoor: { word: 'Spoor', unit: 'code' },
  Spoorstand: { word: 'Spoorstand', unit: 'code' },
  IsCharging: { word: 'Is aan het laden', unit: '0 of 1' },
  Soc1: { word: 'Laadtoestand accu 1', unit: '%' },
  Soc2: { word: 'Laadtoestand accu 2', unit: '%' },
  Soc3: { word: 'Laadtoestand accu 3', unit: '%' },
  Soc4: { word: 'Laadtoestand accu 4', unit: '%' },
};

/** 'Motortoerental'; a name that is not ours is its own word. */
export const wordFor = (name: string): string => WORDS[name]?.word ?? name;

/** 'MotorSpeed, rpm', to stand behind the word in brackets; undefined for a name that is not ours. */
export function nameAndUnit(name: string): string | undefined {
  const words = WORDS[name];
  if (!words) return undefined;
  return words.unit === undefined ? name : `${name}, ${words.unit}`;
}

/** What the logger knows without a CAN bus: its own GPS tells them (reference: every configuration has GNSS). */
export const comesFromGps = (name: string): boolean => name === 'LATITUDE' || name === 'LONGITUDE';
