import { hashedBody, type NoiseGenerator, repeatInParallel, uploadOnNewConnection } from './noise.ts';

const ROWS = 2_000;
const DAY_S = 86_400;

/**
 * Sends readings that the logger recorded before it was moved and that therefore belong to its previous machine: as snapshots, 12 at a
 * time, and as log files of 2,000 readings, 2 at a time. The newest are sent first, so that each reading is older than those before it.
 */
export const sendPastReadings: NoiseGenerator = ({ port, loggers: [logger] }, note) => {
  if (!logger) return;
  const now = Math.floor(Date.now() / 1000);
  let second = now - DAY_S;
  repeatInParallel(12, async (lane) => {
    second -= 1;
    const signals = {
      GMT_UNIX: second,
      MotorSpeed: 900,
      BatteryCurrent: 50,
      BatteryVoltage: 400,
      Soc1: second % 100,
    };
    note(
      `snapshot ${await uploadOnNewConnection(port, logger, `${lane}/snapshot.json`, hashedBody(JSON.stringify(signals)))}`,
    );
  });
  repeatInParallel(2, async (lane, n) => {
    const from = now - (3 + lane + 2 * n) * DAY_S;
    const rows = Array.from({ length: ROWS }, (_, row) => `${from + 10 * row},900,50,400,${row % 100}`);
    const csv = `time,MotorSpeed,BatteryCurrent,BatteryVoltage,Soc1\n${rows.join('\n')}\n`;
    note(`log ${await uploadOnNewConnection(port, logger, `${from}.csv`, hashedBody(csv))}`);
  });
};
