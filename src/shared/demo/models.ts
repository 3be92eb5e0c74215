import type { Accessory } from '#shared/contract/machine-fields.ts';
import type { SebCategory } from '#shared/domain/machine-values.ts';

/** The makes and models in the demo: invented, with realistic sizes and voltages. */

export type MachineKind = 'excavator' | 'mini-excavator' | 'wheel-loader' | 'rail-crane' | 'dumper';

export type DemoModel = {
  readonly brand: string;
  readonly model: string;
  readonly kind: MachineKind;
  /** kWh nominal, one per battery. */
  readonly capacitiesKwh: readonly number[];
  /** Voltage of a pack at half charge. */
  readonly nominalVolts: number;
  /** Signal names of the charge levels; every make has its own spelling. */
  readonly socSignals: readonly string[];
  /** Signal names of the charging flags. A flag whose name ends in AC or DC is set only while charging by that kind of current. */
  readonly chargingFlags: readonly string[];
  readonly accessories: readonly Accessory[];
  /** Category of annex 1 of the SPUK SEB. */
  readonly sebCategory: SebCategory;
  /** Continuous power. */
  readonly powerKw: number;
};

export const EX26: DemoModel = {
  brand: 'Stroomer',
  model: 'EX-26 Electric',
  kind: 'excavator',
  capacitiesKwh: [130, 130, 130],
  nominalVolts: 700,
  socSignals: ['Soc1', 'Soc2', 'Soc3'],
  chargingFlags: ['IsCharging1', 'IsCharging2', 'IsCharging3'],
  accessories: [
    { naam: 'Dieplepelbak 1200 mm', nummer: 4012 },
    { naam: 'Slotenbak 2000 mm', nummer: 4020 },
    { naam: 'Sorteergrijper', nummer: 5107 },
  ],
  sebCategory: 'A',
  powerKw: 120,
};

export const EX9: DemoModel = {
  brand: 'Stroomer',
  model: 'EX-9 Electric',
  kind: 'excavator',
  capacitiesKwh: [88],
  nominalVolts: 400,
  socSignals: ['Soc1'],
  chargingFlags: ['IsCharging1'],
  accessories: [
    { naam: 'Dieplepelbak 600 mm', nummer: 4006 },
    { naam: 'Trilblok', nummer: 5230 },
  ],
  sebCategory: 'A',
  powerKw: 40,
};

export const WL110: DemoModel = {
  brand: 'Bouwkracht',
  model: 'WL-110e',
  kind: 'wheel-loader',
  capacitiesKwh: [72, 72],
  nominalVolts: 600,
  socSignals: ['soc1', 'soc2'],
  chargingFlags: ['IsChargingAC', 'IsChargingDC'],
  accessories: [
    { naam: 'Laadbak 2,5 m3', nummer: 1125 },
    { naam: 'Palletvork', nummer: 1201 },
  ],
  sebCategory: 'A',
  powerKw: 85,
};

export const WL60: DemoModel = {
  brand: 'Bouwkracht',
  model: 'WL-60e',
  kind: 'wheel-loader',
  capacitiesKwh: [46],
  nominalVolts: 350,
  socSignals: ['soc1'],
  chargingFlags: ['IsChargingAC', 'IsChargingDC'],
  accessories: [
    { naam: 'Laadbak 1,0 m3', nummer: 1110 },
    { naam: 'Veegbak', nummer: 1304 },
  ],
  sebCategory: 'A',
  powerKw: 45,
};

export const MX17: DemoModel = {
  brand: 'Voltaro',
  model: 'MX-17 Mobiel',
  kind: 'excavator',
  capacitiesKwh: [112, 112],
  nominalVolts: 700,
  socSignals: ['SOC_1', 'SOC_2'],
  chargingFlags: ['IsCharging_1', 'IsCharging_2'],
  accessories: [
    { naam: 'Rioolbak 900 mm', nummer: 309 },
    { naam: 'Hydraulische hamer', nummer: 377 },
    { naam: 'Tiltrotator', nummer: 390 },
  ],
  sebCategory: 'A',
  powerKw: 90,
};

export const MX2: DemoModel = {
  brand: 'Voltaro',
  model: 'MX-2 Mini',
  kind: 'mini-excavator',
  capacitiesKwh: [21],
  nominalVolts: 48,
  socSignals: ['SOC_1'],
  chargingFlags: ['IsCharging'],
  accessories: [{ naam: 'Kabelbak 300 mm', nummer: 303 }],
  sebCategory: 'A',
  powerKw: 13.5,
};

export const RK220: DemoModel = {
  brand: 'Railhand',
  model: 'RK-220 Accu',
  kind: 'rail-crane',
  capacitiesKwh: [150, 150],
  nominalVolts: 700,
  socSignals: ['SocBatt1', 'SocBatt2'],
  chargingFlags: ['IsChargingBatt1', 'IsChargingBatt2'],
  accessories: [
    { naam: 'Dwarsliggerklem', nummer: 7001 },
    { naam: 'Ballastbak', nummer: 7014 },
    { naam: 'Railklem', nummer: 7022 },
  ],
  sebCategory: 'A',
  powerKw: 130,
};

export const RK160: DemoModel = {
  brand: 'Railhand',
  model: 'RK-160 Accu',
  kind: 'rail-crane',
  capacitiesKwh: [168],
  nominalVolts: 650,
  socSignals: ['SocBatt1'],
  chargingFlags: ['IsChargingBatt1'],
  accessories: [
    { naam: 'Bovenleidingkorf', nummer: 7103 },
    { naam: 'Ballastbak', nummer: 7014 },
  ],
  sebCategory: 'A',
  powerKw: 100,
};

export const D25: DemoModel = {
  brand: 'Kipstra',
  model: 'D-25e',
  kind: 'dumper',
  capacitiesKwh: [96, 96],
  nominalVolts: 700,
  socSignals: ['SOC1', 'SOC2'],
  chargingFlags: ['IsCharging1', 'IsCharging2'],
  accessories: [],
  sebCategory: 'C',
  powerKw: 110,
};

export const D10: DemoModel = {
  brand: 'Kipstra',
  model: 'D-10e',
  kind: 'dumper',
  capacitiesKwh: [64],
  nominalVolts: 400,
  socSignals: ['SOC1'],
  chargingFlags: ['IsCharging1'],
  accessories: [{ naam: 'Draaikipbak', nummer: 61 }],
  sebCategory: 'C',
  powerKw: 55,
};
