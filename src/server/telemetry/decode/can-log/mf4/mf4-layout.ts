import { readUint16, readUint32, readUint64 } from '#server/telemetry/decode/can-log/little-endian.ts';
import { LocalTimeConverter } from '#server/telemetry/decode/can-log/wall-clock.ts';
import { LogError } from '#server/telemetry/decode/log-outcome.ts';
import type { Mf4Block } from './mf4-block.ts';
import { Mf4Blocks } from './mf4-blocks.ts';
import { type FrameChannels, readFrameChannels } from './mf4-frame-channels.ts';

/** A group of records of one kind. */
export type ChannelGroup = {
  readonly recordId: number;
  /** Size without the record's id. */
  readonly recordBytes: number;
  /** Whether the records are bytes of variable length, to which a channel of another group points. */
  readonly isVariable: boolean;
  /** Offset of the group in the file; channels refer to a group of variable length by it. */
  readonly offset: number;
  /** Undefined for a group without CAN frames. */
  readonly frames: FrameChannels | undefined;
};

/** Groups whose records are in one stream. */
export type DataGroup = {
  /** Size in bytes of the id before each record; 0 when there is only one group. */
  readonly idBytes: number;
  readonly groups: readonly ChannelGroup[];
};

/** A data block: the records of a data group, or bytes that channels of the group refer to by the link `variable`. */
export type Mf4DataSegment = {
  readonly offset: number;
  readonly group: DataGroup;
  readonly variable?: number;
};

export type Mf4Layout = {
  /** Milliseconds since 1970. */
  readonly startMs: number;
  readonly isFinalized: boolean;
  /** Device id of the CANedge that recorded the file; undefined when the file does not contain it. */
  readonly recorder: string | undefined;
  /** The blocks with data, in the order of the file. */
  readonly segments: readonly Mf4DataSegment[];
};

const HD_OFFSET = 64;
const VARIABLE_FLAG = 1;
const LOCAL_TIME_FLAG = 1;
/** Text in the file's comment that identifies the exporter of the ReXgen loggers, which counts buses from 1; the loggers count from 0. */
const COUNTS_FROM_1 = 'Influx Technology';
/** Pattern of the XML element with the device id, in the comment of the header. */
const DEVICE_ID = /<e name="serial number"[^>]{0,50}>\s{0,20}([0-9A-F]{8})\s{0,20}</i;

/**
 * Finds the groups of CAN frames of an MF4 and the blocks with their data.
 * @throws LogError 'no frames', 'truncated' or 'corrupt'
 */
export function readLayout(found: ReadonlyMap<number, Mf4Block>, isFinalized: boolean): Mf4Layout {
  const blocks = new Mf4Blocks(found);
  const header = blocks.at(HD_OFFSET, 'HD');
  if (header === undefined) throw noLayout(true);
  const comment = blocks.commentAt(blocks.at(header.link(1), 'FH')?.link(1) ?? 0);
  const firstBus = comment.includes(COUNTS_FROM_1) ? 1 : 0;
  const segments: Mf4DataSegment[] = [];
  let hasFrames = false;
  for (const [, dataGroup] of blocks.list(header.link(0), 'DG')) {
    const isOfValues = blocks.isListOfValues(dataGroup.link(2));
    const groups = [...blocks.list(dataGroup.link(1), 'CG')].map(([offset, block]) =>
      readChannelGroup(blocks, offset, block, firstBus, isOfValues),
    );
    const group = { idBytes: dataGroup.data[0] ?? 0, groups };
    if (!groups.some(({ frames }) => frames !== undefined)) continue;
    hasFrames = true;
    for (const offset of blocks.dataBlocks(dataGroup.link(2))) segments.push({ offset, group });
    for (const variable of variableLinks(group))
      for (const offset of blocks.dataBlocks(variable)) segments.push({ offset, group, variable });
  }
  if (!hasFrames || blocks.isIncomplete) throw noLayout(blocks.isIncomplete);
  requireOrder(segments);
  return {
    startMs: startOf(header),
    isFinalized,
    recorder: DEVICE_ID.exec(blocks.commentAt(header.link(5)))?.[1]?.toUpperCase(),
    segments: segments.sort((a, b) => a.offset - b.offset),
  };
}

function readChannelGroup(
  blocks: Mf4Blocks,
  offset: number,
  block: Mf4Block,
  firstBus: number,
  isOfValues: boolean,
): ChannelGroup {
  const { data } = block;
  const isVariable = (readUint16(data, 16) & VARIABLE_FLAG) !== 0;
  const recordBytes = readUint32(data, 24) + (isOfValues ? 0 : readUint32(data, 28));
  return {
    recordId: readUint64(data, 0),
    recordBytes,
    isVariable,
    offset,
    frames: isVariable ? undefined : readFrameChannels(blocks, block, recordBytes, firstBus),
  };
}

/** Returns the links to data that are outside the data group's own records. */
function variableLinks({ groups }: DataGroup): Set<number> {
  const links = new Set<number>();
  for (const { frames } of groups) if (frames?.variable) links.add(frames.variable.link);
  for (const { offset } of groups) links.delete(offset);
  return links;
}

/** Requires that the blocks of each stream are in order in the file. @throws LogError 'corrupt' */
function requireOrder(segments: readonly Mf4DataSegment[]): void {
  const last = new Map<DataGroup | number, number>();
  for (const { offset, group, variable } of segments) {
    const stream = variable ?? group;
    if (offset <= (last.get(stream) ?? 0)) throw new LogError('corrupt', { kind: 'mf4-out-of-order' });
    last.set(stream, offset);
  }
}

function startOf({ data }: Mf4Block): number {
  const ns = data.length < 16 ? 0n : Buffer.from(data).readBigUInt64LE(0);
  const ms = Number(ns / 1_000_000n) + Number(ns % 1_000_000n) / 1_000_000;
  return ((data[12] ?? 0) & LOCAL_TIME_FLAG) === 0 ? ms : new LocalTimeConverter().instant(ms);
}

function noLayout(isIncomplete: boolean): LogError {
  if (isIncomplete) return new LogError('truncated', { kind: 'mf4-without-channels' });
  return new LogError('no frames', { kind: 'mf4-without-frames' });
}
