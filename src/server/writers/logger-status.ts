import type { LoggerStatus } from '#server/telemetry/decode/status.ts';
import type { ReportedStatus } from '#shared/contract/writers.ts';

/**
 * What is shown of a logger's last Status.json.
 * @param receivedAt when we had it: its own clock is held against ours
 */
export function toldStatus(status: LoggerStatus, receivedAt: Date): ReportedStatus {
  const { firmware, configName, freeSpaceMb, maxSpaceMb, rtcUnix } = status;
  return {
    receivedAt: receivedAt.toISOString(),
    firmware: firmware ?? null,
    configName: configName ?? null,
    freeMb: freeSpaceMb ?? null,
    totalMb: maxSpaceMb ?? null,
    // 0: a clock that was never set, as in a snapshot.
    clockAheadS: rtcUnix ? Math.round(rtcUnix) - Math.floor(receivedAt.getTime() / 1000) : null,
  };
}
