import { readFileSync } from 'node:fs';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { parseArgs } from 'node:util';
import { demoMachines } from '#shared/demo/fleet.ts';
import { RECORDED_EVERY_MS, rxdLog } from './can-log.ts';
import { type DemoLogger, demoLoggers, silentSince } from './demo-loggers.ts';
import { type HourlyLog, startLogger } from './logger-client.ts';
import { type LoggerKeys, parseLoggerKeys } from './logger-keys.ts';
import { outageLog } from './outage-log.ts';

/** Runs the demo's loggers (`node src/simulator/main.ts --portal URL --keys FILE`) until SIGTERM or SIGINT. */

const SNAPSHOT_EVERY_MS = 5_000;
const STATUS_EVERY_MS = 300_000;
const HOUR_MS = 3_600_000;
const USAGE = 'Use: node src/simulator/main.ts --portal http://127.0.0.1:3000 --keys FILE';

function start(portal: string, { bucket, loggers }: LoggerKeys): void {
  const fleet = demoLoggers();
  const outages = outageLog((line) => console.log(line), Date.now);
  // Agents without a limit: each logger has its own connection, like a real one. With fewer connections the S3 client warns of queued
  // requests on a slow computer.
  const agents = {
    httpAgent: new HttpAgent({ keepAlive: true }),
    httpsAgent: new HttpsAgent({ keepAlive: true }),
  };
  const clients = loggers.flatMap(({ loggerSerial, accessKey, secret, configGuid }) => {
    const demo = fleet.get(loggerSerial);
    if (!demo) {
      console.log(`Logger ${loggerSerial} is not of the demo fleet; it stays silent.`);
      return [];
    }
    const client = startLogger({
      portal,
      bucket,
      loggerSerial,
      accessKey,
      secret,
      configGuid,
      signalsAt: demo.signalsAt,
      log: hourlyLog(demo),
      ...(demo.silent ? { silentSince: silentSince(Date.now()) } : {}),
      outages,
      agents,
      now: Date.now,
      snapshotEveryMs: SNAPSHOT_EVERY_MS,
      statusEveryMs: STATUS_EVERY_MS,
    });
    return [client];
  });
  console.log(`${clients.length} simulated loggers deliver to ${portal}.`);

  let stopping = false;
  const stop = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    await Promise.all(clients.map((client) => client.stop()));
    agents.httpAgent.destroy();
    agents.httpsAgent.destroy();
    process.exit(0);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

/**
 * Returns the hourly log of a logger. Each logger has its own offset in the hour, because machines are switched on at different
 * moments.
 */
function hourlyLog({ machine, signalsAt }: DemoLogger): HourlyLog | undefined {
  return (
    machine && {
      offsetMs: Math.round((demoMachines.indexOf(machine) / demoMachines.length) * HOUR_MS),
      fileOf: (from, to) => rxdLog(machine, signalsAt, { from, to, everyMs: RECORDED_EVERY_MS }),
    }
  );
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

try {
  const { values } = parseArgs({ options: { portal: { type: 'string' }, keys: { type: 'string' } } });
  if (!values.portal || !URL.canParse(values.portal) || !values.keys) fail(USAGE);
  start(values.portal, parseLoggerKeys(readFileSync(values.keys, 'utf8')));
} catch (error) {
  fail(`The simulator cannot start: ${error instanceof Error ? error.message : error}\n${USAGE}`);
}
