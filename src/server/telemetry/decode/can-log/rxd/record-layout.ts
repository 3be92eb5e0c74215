import { MAX_EXTENDED_ID, MAX_STANDARD_ID } from '#server/telemetry/decode/can-log/can-frame.ts';
import { readUint32 } from '#server/telemetry/decode/can-log/little-endian.ts';
import { RECORD_KIND, type RxdRecordKind } from './configuration.ts';

/**
 * Flags of a CAN frame (RecCanTrace.cs). Two more flags, 8 (bit rate switch) and 16 (sent by the logger), are not used
 * here.
 */
export const FRAME_FLAG = { extended: 1, remote: 2, fd: 4 } as const;

/** Minimum number of bytes of info and of data of a record, by kind. */
const LEAST: Readonly<Record<RxdRecordKind, { readonly info: number; readonly data: number }>> = {
  [RECORD_KIND.unknown]: { info: 4, data: 0 },
  [RECORD_KIND.can]: { info: 9, data: 0 },
  [RECORD_KIND.error]: { info: 4, data: 0 },
  [RECORD_KIND.lin]: { info: 4, data: 0 },
  [RECORD_KIND.trigger]: { info: 4, data: 0 },
  [RECORD_KIND.float]: { info: 4, data: 4 },
  [RECORD_KIND.double]: { info: 4, data: 8 },
  [RECORD_KIND.whole]: { info: 4, data: 4 },
  [RECORD_KIND.byte]: { info: 4, data: 1 },
  [RECORD_KIND.dateTime]: { info: 4, data: 4 },
};

/** Returns whether a record is possible for its kind: it is long enough, and a frame has a valid identifier and length. */
export function isPossibleRecord(
  kind: RxdRecordKind,
  bytes: Uint8Array,
  info: number,
  infoBytes: number,
  dataBytes: number,
): boolean {
  const least = LEAST[kind];
  if (infoBytes < least.info || dataBytes < least.data) return false;
  if (kind !== RECORD_KIND.can) return true;
  const flags = bytes[info + 8] as number;
  const longestId = flags & FRAME_FLAG.extended ? MAX_EXTENDED_ID : MAX_STANDARD_ID;
  return dataBytes <= (flags & FRAME_FLAG.fd ? 64 : 8) && readUint32(bytes, info + 4) <= longestId;
}
