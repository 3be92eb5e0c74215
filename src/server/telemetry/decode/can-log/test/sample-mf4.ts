import type { TestFrame } from './given-frames.ts';
import {
  channelBlock,
  channelGroupBlock,
  collectLinkedBlocks,
  dataGroupBlock,
  headerBlock,
  type Mf4TestBlock,
  mf4Block,
  mf4File,
  type WrittenChannel,
} from './written-mf4.ts';
import {
  type BlockCompression,
  type BlockReferenceStyle,
  dataBlock,
  listedDataBlocks,
  listedValueBlocks,
} from './written-mf4-data.ts';
import { frameChannels, frameRecord, MICROSECONDS_CONVERSION, variableData } from './written-mf4-records.ts';

export type Mf4Style = {
  /** Size in bytes of the id before each record; 0: the file is sorted and contains only frames. */
  readonly idBytes: 0 | 1 | 2 | 4 | 8;
  /** Place of the data: in the record, in records before or behind it, or in SD blocks. */
  readonly data: 'fixed' | 'record before' | 'record behind' | 'sd';
  /** Bytes of data in a record. Default: 64, as in CAN FD. */
  readonly fixedBytes?: number;
  readonly packing?: BlockCompression;
  /** Splits the data into blocks of this many bytes. */
  readonly blockBytes?: number;
  /** If set, the records are in DV blocks, which LD blocks list (MDF 4.2). */
  readonly values?: BlockReferenceStyle;
  /** Whether the data blocks precede the description, as in the files of some writers. */
  readonly dataFirst?: boolean;
  /** Device id of the CANedge that recorded the file. */
  readonly device?: string;
};

const FIXED_BYTES = 64;
const OFFSET_BYTES = 8;
const LIN_ID = 77;
const INVALIDATION_BYTES_AT = 28;

/** Returns an MF4 with frames, according to the description of the format. */
export function sampleMf4(frames: readonly TestFrame[], style: Mf4Style): Buffer {
  const {
    idBytes,
    fixedBytes = FIXED_BYTES,
    packing = 'none',
    blockBytes,
    values,
    dataFirst = false,
  } = style;
  const isVariable = style.data !== 'fixed';
  const recordBytes = 16 + (isVariable ? OFFSET_BYTES : fixedBytes);
  const { records, variable } = written(frames, style);
  const columns = recordBytes + idBytes;
  const blocks = (id: 'DT' | 'SD', data: Buffer, width: number): Mf4TestBlock =>
    blockBytes === undefined
      ? dataBlock(id, data, packing, width)
      : listedDataBlocks(id, data, blockBytes, packing, width);
  const variableGroup = channelGroupBlock(2, 0, [], '', 1);
  const dataLink = style.data === 'sd' ? blocks('SD', variable, 12) : variableGroup;
  const dataChannel: WrittenChannel = isVariable
    ? { type: 1, byte: 16, bits: 64, dataType: 10, data: dataLink }
    : { byte: 16, bits: 8 * fixedBytes, dataType: 10 };
  const groups = [channelGroupBlock(1, recordBytes, frameChannels('CAN_DataFrame', dataChannel))];
  if (idBytes > 0) {
    if (isVariable && style.data !== 'sd') groups.push(variableGroup);
    groups.push(channelGroupBlock(3, 16, frameChannels('CAN_RemoteFrame')));
    groups.push(channelGroupBlock(4, 16, frameChannels('CAN_ErrorFrame')));
    groups.push(channelGroupBlock(LIN_ID, 5, [channelBlock('LIN_Frame.ID', { byte: 0, bits: 8 })]));
  }
  if (values === 'invalidation') groups[0]?.data.writeUInt32LE(1, INVALIDATION_BYTES_AT);
  const data =
    values === undefined
      ? blocks('DT', records, columns)
      : listedValueBlocks(records, blockBytes ?? records.length, packing, columns, values);
  const head = headerBlock([dataGroupBlock(idBytes, groups, data)]);
  if (style.device !== undefined) head.links[5] = deviceComment(style.device);
  const parts = collectLinkedBlocks(head);
  return mf4File(dataFirst ? inDataFirst(parts) : [...parts]);
}

/** Returns the comment that a CANedge writes. */
const deviceComment = (device: string): Mf4TestBlock =>
  mf4Block(
    'MD',
    Buffer.from(
      `<HDcomment><TX/><common_properties><tree name="Device Information"><e name="serial number" ro="true">${device}</e></tree></common_properties></HDcomment>\0`,
    ),
  );

/** Moves the data blocks directly behind the first block (HD), which is always at offset 64. */
function inDataFirst(parts: Set<Mf4TestBlock>): Mf4TestBlock[] {
  const all = [...parts];
  const isData = ({ id }: Mf4TestBlock) => ['DT', 'DV', 'DZ', 'SD'].includes(id);
  return [all[0] as Mf4TestBlock, ...all.filter(isData), ...all.slice(1).filter((one) => !isData(one))];
}

function written(
  frames: readonly TestFrame[],
  { idBytes, data, fixedBytes = FIXED_BYTES }: Mf4Style,
): { records: Buffer; variable: Buffer } {
  const records: Buffer[] = [];
  const variable: Buffer[] = [];
  let offset = 0;
  const id = (number: number): Buffer => {
    const bytes = Buffer.alloc(idBytes);
    if (idBytes > 0) bytes[0] = number;
    return bytes;
  };
  for (const [index, frame] of frames.entries()) {
    const record = frameRecord(frame);
    if (idBytes > 0 && index % 10 === 9) records.push(id(LIN_ID), Buffer.alloc(5, index));
    if (frame.kind !== 'frame') {
      records.push(id(frame.kind === 'remote' ? 3 : 4), record);
      continue;
    }
    if (data === 'fixed') {
      records.push(id(1), record, frame.data, Buffer.alloc(fixedBytes - frame.data.length, 0xee));
      continue;
    }
    const place = Buffer.alloc(OFFSET_BYTES);
    place.writeBigUInt64LE(BigInt(offset));
    const bytes = variableData(frame.data);
    offset += bytes.length;
    if (data === 'record before') records.push(id(2), bytes);
    records.push(id(1), record, place);
    if (data === 'record behind') records.push(id(2), bytes);
    if (data === 'sd') variable.push(bytes);
  }
  return { records: Buffer.concat(records), variable: Buffer.concat(variable) };
}

/** Returns an MF4 with decoded signals instead of frames. */
export const mf4WithDecodedSignals = (): Buffer => {
  const channels = [
    channelBlock('Timestamp', { type: 2, byte: 0, bits: 64, conversion: MICROSECONDS_CONVERSION }),
    channelBlock('Soc1', { byte: 8, bits: 64, dataType: 4 }),
  ];
  const data = dataGroupBlock(0, [channelGroupBlock(0, 16, channels)], mf4Block('DT', Buffer.alloc(160)));
  return mf4File([...collectLinkedBlocks(headerBlock([data]))]);
};
