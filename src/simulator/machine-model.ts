import type { DemoMachine } from '#shared/demo/fleet.ts';
import type { Signals } from '#shared/domain/signal.ts';
import { packLevelsPercent, terminalCurrentAndVoltage } from './battery-pack.ts';
import { periodAt } from './day-plan.ts';
import { type EnergyLedger, integrateEnergy, STEP_MS } from './energy-ledger.ts';
import { type Movement, movementOf } from './machine-movement.ts';
import { travelPath } from './path-geometry.ts';
import { randomFraction, seedOf, smoothNoise } from './seeded-random.ts';
import { CYCLE_HABITS, type CyclePoint, cyclePoint } from './work-cycle.ts';
import type { SimulatedDeployment } from './work-schedules.ts';

/** Average speed between sites in km/h: on a low loader on the motorway, or on the machine's own wheels. */
const CARRIED_KMH = 58;
const OWN_KMH = 31;
/** Motor speed in rpm per km/h on the machine's own wheels. */
const RPM_PER_KMH = 60;
/** Consumption of battery cooling and charger while charging, as a share of the capacity per hour. */
const CHARGING_OVERHEAD = 0.003;
/** Value of `lean` for a machine with a worn pack (packLevelsPercent in battery-pack.ts). */
const WORN_LEAN = 5;
/** Number of cached periods: two, because calls for times around the end of a period need that period and the next one. */
const LEDGERS_KEPT = 2;

/** Returns the signals of one machine at an instant in ms since 1970: a pure function of machine and time. */
export type SignalsAt = (timeMs: number) => Signals;

/**
 * Returns the model of a demo machine. Its signals are consistent: BatteryCurrent x BatteryVoltage, summed over time, equals the
 * change of the charge plus the losses of the battery; while charging, ChargingCurrent also covers the machine's own use.
 */
export function machineModel(machine: DemoMachine, deployment: SimulatedDeployment): SignalsAt {
  const seed = seedOf(machine.serialNumber);
  const path = travelPath([deployment.base, ...deployment.via, deployment.second]);
  const travelMs = Math.round((path.lengthKm / (deployment.ownWheels ? OWN_KMH : CARRIED_KMH)) * 3_600_000);
  const trafficPhase = 2 * Math.PI * randomFraction(seed, 40, 0);
  const capacityKwh = machine.model.capacitiesKwh.reduce((sum, kwh) => sum + kwh, 0);
  const appetite = { seed, capacityKwh, ownRoadKm: deployment.ownWheels ? path.lengthKm : 0, trafficPhase };
  const habits = CYCLE_HABITS[machine.model.kind];
  const lean = deployment.trouble === 'worn pack' ? WORN_LEAN : 2 * randomFraction(seed, 42, 0) - 1;

  const ledgers: EnergyLedger[] = [];
  const ledgerAt = (timeMs: number): EnergyLedger => {
    const known = ledgers.find(({ period }) => period.from <= timeMs && timeMs < period.to);
    if (known) return known;
    const ledger = integrateEnergy(periodAt(timeMs, seed, deployment, travelMs), appetite);
    if (ledgers.push(ledger) > LEDGERS_KEPT) ledgers.shift();
    return ledger;
  };

  return (timeMs) => {
    const ledger = ledgerAt(timeMs);
    const cycle = cyclePoint(habits, seed, timeMs);
    const movement = movementOf(ledger, path, habits, cycle, trafficPhase, seed, timeMs);
    return {
      ...positionSignals(movement, seed, timeMs),
      ...motorSignals(ledger, cycle, movement, appetite.ownRoadKm > 0, timeMs),
      ...batterySignals(machine, capacityKwh, lean, ledger, cycle, timeMs),
    };
  };
}

const stepOf = (ledger: EnergyLedger, timeMs: number): number =>
  Math.min(ledger.powerKw.length - 1, Math.floor((timeMs - ledger.period.from) / STEP_MS));

function positionSignals({ lat, lon, speedKmh }: Movement, seed: number, timeMs: number): Signals {
  return {
    LATITUDE: rounded(lat, 6),
    LONGITUDE: rounded(lon, 6),
    Speed: rounded(speedKmh, 1),
    NUMBER_SATELLITES: Math.round(12 + 3 * smoothNoise(seed, 41, timeMs / 600_000)),
  };
}

function motorSignals(
  ledger: EnergyLedger,
  { load }: CyclePoint,
  { phase, speedKmh }: Movement,
  ownWheels: boolean,
  timeMs: number,
): Signals {
  if (phase === 'travel' && ownWheels) {
    return { MotorSpeed: Math.round(speedKmh * RPM_PER_KMH), HydraulicPressure: 0 };
  }
  // The motor of a waiting electric machine stands still: there is no idle speed.
  if (ledger.working[stepOf(ledger, timeMs)] !== 1) return { MotorSpeed: 0, HydraulicPressure: 0 };
  const demand = Math.max(0, load);
  return { MotorSpeed: Math.round(850 + 480 * demand), HydraulicPressure: Math.round(35 + 115 * demand) };
}

function batterySignals(
  { model }: DemoMachine,
  capacityKwh: number,
  lean: number,
  ledger: EnergyLedger,
  { load }: CyclePoint,
  timeMs: number,
): Signals {
  const step = stepOf(ledger, timeMs);
  const within = (timeMs - ledger.period.from) / STEP_MS - step;
  const before = ledger.soc[step]!;
  const soc = before + (ledger.soc[step + 1]! - before) * within;
  const mean = ledger.powerKw[step]!;
  const charging = mean < 0;
  const power = ledger.working[step] === 1 ? mean * load : mean;
  const { amps, volts } = terminalCurrentAndVoltage(
    { capacityKwh, nominalVolts: model.nominalVolts },
    soc,
    power,
  );
  const chargerKw = charging ? CHARGING_OVERHEAD * capacityKwh - power : 0;
  const segment = ledger.period.segments.find(({ to }) => timeMs < to);
  const isPlugged = charging || segment?.chargeRate === 0;
  const outside = outsideCelsius(timeMs);

  const signals: Record<string, number> = {
    BatteryCurrent: rounded(amps, 1),
    BatteryVoltage: rounded(volts, 1),
    ChargingCurrent: charging ? rounded((chargerKw * 1000) / volts, 1) : 0,
    ChargingVoltage: charging ? rounded(volts, 1) : 0,
    OutsideTemperature: rounded(outside, 1),
  };
  packLevelsPercent(model.capacitiesKwh, soc, lean).forEach((percent, i) => {
    signals[model.socSignals[i]!] = rounded(percent, 1);
    // Packs are insulated, so the outside temperature has little effect; a pack is warmer the lower its charge is.
    signals[`BatteryTemperature${i + 1}`] = rounded(14 + 0.4 * outside + 0.12 * (100 - percent) + i * 0.6, 1);
  });
  for (const flag of model.chargingFlags) {
    const other = flag.endsWith(segment?.fast ? 'AC' : 'DC');
    signals[flag] = isPlugged && !other ? 1 : 0;
  }
  return signals;
}

/** Returns the outside temperature in the Netherlands: coldest late in January, and each day before dawn. */
function outsideCelsius(timeMs: number): number {
  const days = timeMs / 86_400_000;
  const year = -Math.cos((2 * Math.PI * (days - 24)) / 365.25);
  const hours = -Math.cos(2 * Math.PI * (days - 3.5 / 24));
  return 10.5 + 7.5 * year + 3.5 * hours + 3 * smoothNoise(7, 43, days / 1.7);
}

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits)) + 0;
