import type { SignalMapping } from '#shared/contract/definition.ts';
import { type CanField, type CanMessage, type CanValueEncoding, canMessage } from './can-message.ts';
import type { DemoModel } from './models.ts';

/**
 * The CAN bus of each make in the demo. The buses are invented. Positions come from the logger's GNSS receiver, except on a Kipstra, whose
 * bus has SAE J1939's message Vehicle Position (PGN 65267).
 */

const number = (
  bits: number,
  factor: number,
  [min, max]: readonly [number, number],
  unit: string,
  more: Partial<CanValueEncoding> = {},
): CanValueEncoding => ({ bits, factor, offset: 0, min, max, unit, isSigned: false, ...more });

const RPM = number(16, 0.5, [0, 12_000], 'rpm');
const BAR = number(16, 0.1, [0, 400], 'bar');
const KMH = number(16, 0.1, [0, 80], 'km/h');
const AMPERE = number(16, 0.1, [-1000, 1000], 'A', { isSigned: true });
const CHARGER_AMPERE = number(16, 0.1, [0, 1000], 'A');
const VOLT = number(16, 0.1, [0, 1000], 'V');
const PERCENT = number(16, 0.1, [0, 100], '%');
const CELSIUS = number(16, 0.1, [-40, 100], 'degC', { isSigned: true });
const CELSIUS_FROM_40 = number(16, 0.1, [-40, 210], 'degC', { offset: -40 });
const FLAG = number(1, 1, [0, 1], '');
const COUNT = number(8, 1, [0, 32], '');
const DEGREES = number(32, 1e-7, [-210, 211.1], 'deg', { offset: -210 });

const packs = ({ socSignals }: DemoModel): readonly number[] => socSignals.map((_, n) => n + 1);
const socOf = ({ socSignals }: DemoModel, pack: number): string => socSignals[pack - 1] as string;
/** Returns the charging flags of a model. @param name returns the DBC name for the flag's suffix: 'AC' for `IsChargingAC` */
const flags = ({ chargingFlags }: DemoModel, name: (which: string) => string): CanField[] =>
  chargingFlags.map((flag) => [name(flag.replace(/^IsCharging_?/, '')), flag, FLAG]);

type Make = {
  /** Name of the sender in the DBC file. */
  readonly node: string;
  /** bit/s. */
  readonly bitrate: number;
  readonly messages: (model: DemoModel) => readonly CanMessage[];
};

const STROOMER: Make = {
  node: 'STR',
  bitrate: 250_000,
  messages: (model) => [
    canMessage(0x180, 'STR_Motor', [
      ['EM_n', 'MotorSpeed', RPM],
      ['HY_p', 'HydraulicPressure', BAR],
    ]),
    canMessage(0x190, 'STR_HV', [
      ['HV_I', 'BatteryCurrent', AMPERE],
      ['HV_U', 'BatteryVoltage', VOLT],
      ['OBC_I', 'ChargingCurrent', CHARGER_AMPERE],
      ['OBC_U', 'ChargingVoltage', VOLT],
    ]),
    ...packs(model).map((pack) =>
      canMessage(0x1a0 + pack, `STR_BMS${pack}`, [
        [`BMS${pack}_SOC`, socOf(model, pack), PERCENT],
        [`BMS${pack}_T`, `BatteryTemperature${pack}`, CELSIUS_FROM_40],
      ]),
    ),
    canMessage(0x1b0, 'STR_Laden', [
      ...flags(model, (which) => `OBC_Plug${which}`),
      ['AMB_T', 'OutsideTemperature', CELSIUS_FROM_40],
    ]),
  ],
};

const BOUWKRACHT: Make = {
  node: 'BK',
  bitrate: 500_000,
  messages: (model) => [
    canMessage(
      0x210,
      'BK_Drive',
      [
        ['TractionMotorSpeed', 'MotorSpeed', RPM],
        ['PumpPressure', 'HydraulicPressure', BAR],
        ['Ambient', 'OutsideTemperature', CELSIUS],
      ],
      { isBigEndian: true },
    ),
    canMessage(
      0x220,
      'BK_Battery',
      [
        ['PackCurrent', 'BatteryCurrent', AMPERE],
        ['PackVoltage', 'BatteryVoltage', VOLT],
        ...packs(model).map((pack): CanField => [`StateOfCharge${pack}`, socOf(model, pack), PERCENT]),
      ],
      { isBigEndian: true },
    ),
    canMessage(
      0x230,
      'BK_Charger',
      [
        ['ChargerCurrent', 'ChargingCurrent', CHARGER_AMPERE],
        ['ChargerVoltage', 'ChargingVoltage', VOLT],
        ...flags(model, (which) => `Plugged${which}`),
      ],
      { isBigEndian: true },
    ),
    canMessage(
      0x240,
      'BK_Temperature',
      packs(model).map((pack): CanField => [`PackTemperature${pack}`, `BatteryTemperature${pack}`, CELSIUS]),
      { isBigEndian: true },
    ),
  ],
};

const VOLTARO: Make = {
  node: 'VLT',
  bitrate: 250_000,
  messages: (model) => [
    canMessage(0x301, 'VLT_Antrieb', [
      ['Motordrehzahl', 'MotorSpeed', RPM],
      ['Hydraulikdruck', 'HydraulicPressure', BAR],
      ['Aussentemperatur', 'OutsideTemperature', CELSIUS],
    ]),
    canMessage(0x302, 'VLT_Batterie', [
      ['Batteriestrom', 'BatteryCurrent', AMPERE],
      ['Batteriespannung', 'BatteryVoltage', VOLT],
    ]),
    ...packs(model).map((pack) =>
      canMessage(0x310 + pack, `VLT_Modul${pack}`, [
        [`Ladezustand${pack}`, socOf(model, pack), PERCENT],
        [`Zelltemperatur${pack}`, `BatteryTemperature${pack}`, CELSIUS],
      ]),
    ),
    canMessage(0x320, 'VLT_Lader', [
      ['Ladestrom', 'ChargingCurrent', CHARGER_AMPERE],
      ['Ladespannung', 'ChargingVoltage', VOLT],
      ...flags(model, (which) => `Stecker${which}`),
    ]),
  ],
};

const RAILHAND: Make = {
  node: 'RH',
  bitrate: 250_000,
  messages: (model) => [
    canMessage(0x401, 'RH_Pomp', [
      ['PompToeren', 'MotorSpeed', RPM],
      ['PompDruk', 'HydraulicPressure', BAR],
      ['Buiten', 'OutsideTemperature', CELSIUS_FROM_40],
    ]),
    canMessage(
      0x402,
      'RH_Accu',
      [
        ['AccuStroom', 'BatteryCurrent', AMPERE],
        ['AccuSpanning', 'BatteryVoltage', VOLT],
        ['LaderStroom', 'ChargingCurrent', CHARGER_AMPERE],
        ['LaderSpanning', 'ChargingVoltage', VOLT],
      ],
      { isBigEndian: true },
    ),
    ...packs(model).map((pack) =>
      canMessage(0x410 + pack, `RH_Batt${pack}`, [
        [`Lading${pack}`, socOf(model, pack), PERCENT],
        [`Temp${pack}`, `BatteryTemperature${pack}`, CELSIUS_FROM_40],
        ...flags(model, (which) => `Stekker${which}`).filter(([, to]) => to.endsWith(String(pack))),
      ]),
    ),
  ],
};

const KIPSTRA: Make = {
  node: 'KPS',
  bitrate: 250_000,
  messages: (model) => [
    canMessage(0x100, 'KPS_Aandrijving', [
      ['DrvRpm', 'MotorSpeed', RPM],
      ['HydDruk', 'HydraulicPressure', BAR],
      ['Snelheid', 'Speed', KMH],
    ]),
    canMessage(
      0x101,
      'KPS_Pakket',
      [
        ['PackI', 'BatteryCurrent', AMPERE],
        ['PackU', 'BatteryVoltage', VOLT],
        ['ChgI', 'ChargingCurrent', CHARGER_AMPERE],
        ['ChgU', 'ChargingVoltage', VOLT],
      ],
      { isBigEndian: true },
    ),
    canMessage(0x102, 'KPS_Lading', [
      ...packs(model).map((pack): CanField => [`SocDisp${pack}`, socOf(model, pack), PERCENT]),
      ...flags(model, (which) => `ChgPlug${which}`),
      ['Satellieten', 'NUMBER_SATELLITES', COUNT],
    ]),
    canMessage(
      0x103,
      'KPS_Warmte',
      ['OutsideTemperature', ...packs(model).map((pack) => `BatteryTemperature${pack}`)].map(
        (name): CanField => [name, name, CELSIUS],
      ),
      { isKept: true },
    ),
    canMessage(
      0x18fef3d4,
      'VP',
      [
        ['Latitude', 'LATITUDE', DEGREES],
        ['Longitude', 'LONGITUDE', DEGREES],
      ],
      { isExtended: true },
    ),
  ],
};

const MAKES: Readonly<Record<string, Make>> = {
  Stroomer: STROOMER,
  Bouwkracht: BOUWKRACHT,
  Voltaro: VOLTARO,
  Railhand: RAILHAND,
  Kipstra: KIPSTRA,
};

/** The bus of a model. */
export type CanBus = Omit<Make, 'messages'> & { readonly messages: readonly CanMessage[] };

/** Returns the bus of a model. @throws Error for a make without a bus */
export function canBusOf(model: DemoModel): CanBus {
  const make = MAKES[model.brand];
  if (!make) throw new Error(`no CAN bus for make ${model.brand}`);
  return { ...make, messages: make.messages(model) };
}

/** Returns the mapping of the signals of bus 0. */
export const mappedSignals = ({ messages }: CanBus): SignalMapping[] =>
  messages
    .filter(({ isKept }) => !isKept)
    .flatMap(({ name, signals }) =>
      signals.map(({ name: signal, to }) => ({ bus: 0, message: name, signal, to })),
    );
