import type { LoggerStatus } from '#server/telemetry/decode/status.ts';
import type { ReportedStatus } from '#shared/contract/writers.ts';

/**
 * Returns the shown fields of a logger's last Status.json.
 * @param receivedAt time of receipt, with which the logger's clock is compared
 */
export function reportedStatus(status: LoggerStatus, receivedAt: Date): ReportedStatus {
  const { firmware, configName, freeSpaceMb, maxSpaceMb, rtcUnix } = status;
  return {
    receivedAt: receivedAt.toISOString(),
    firmware: firmware ?? null,
    configName: configName ?? null,
    freeMb: freeSpaceMb ?? null,
    totalMb: maxSpaceMb ?? null,
    // 0 means that the logger's clock was never set, as in a snapshot.
    clockAheadS: rtcUnix ? Math.round(rtcUnix) - Math.floor(receivedAt.getTime() / 1000) : null,
  };
}
