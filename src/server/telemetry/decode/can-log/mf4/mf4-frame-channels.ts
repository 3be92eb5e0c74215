import type { Mf4Block } from './mf4-block.ts';
import type { Mf4Blocks } from './mf4-blocks.ts';
import { readConversion } from './mf4-conversion.ts';
import { Mf4Field } from './mf4-field.ts';

/** The channels of a group of CAN frames, according to ASAM's bus logging. */
export type FrameChannels = {
  readonly kind: 'frame' | 'remote' | 'error';
  /** Field with the time of the frame, in seconds after the start. */
  readonly time: Mf4Field;
  readonly id: Mf4Field | undefined;
  readonly isExtended: Mf4Field | undefined;
  readonly isRemote: Mf4Field | undefined;
  readonly bus: Mf4Field | undefined;
  /** Bus according to the name of the group, for a group without a bus channel. */
  readonly busOfName: number;
  /** Number that the file uses for bus 0. */
  readonly firstBus: number;
  readonly code: Mf4Field | undefined;
  readonly length: Mf4Field | undefined;
  /** Position and size of the data, if the record itself contains them. */
  readonly fixed: { readonly byte: number; readonly bytes: number } | undefined;
  /**
   * Set if the data are outside the record: `offset` is the record's field with their offset in a stream, and `link` leads to that
   * stream.
   */
  readonly variable: { readonly offset: Mf4Field; readonly link: number } | undefined;
};

const NAME = /^CAN_(Data|Remote|Error)Frame(?:\.(\w+))?$/;
const BUS_NAME = /^CAN(\d{1,3})/i;
const MASTER_TYPES = [2, 3];
const VARIABLE_TYPE = 1;
/** Maximum length of a record. The record of a frame has about 100 bytes; a longer one is damaged. */
const MAX_RECORD_BYTES = 64 * 1024;
const MAX_CHANNELS = 1000;
/** Maximum depth of channel structures. A frame is one structure of channels; a deeper structure is damaged. */
const MAX_DEPTH = 4;

/** Returns the channels of a group of CAN frames; undefined for any other group. */
export function readFrameChannels(
  blocks: Mf4Blocks,
  group: Mf4Block,
  recordBytes: number,
  firstBus: number,
): FrameChannels | undefined {
  const channels = new Map<string, Mf4Block>();
  let kind = '';
  for (const channel of channelsOf(blocks, group.link(1), 0)) {
    const [, frame, name = ''] = NAME.exec(blocks.textAt(channel.link(2))) ?? [];
    if (frame !== undefined) kind = frame;
    const key = MASTER_TYPES.includes(channel.data[0] ?? 0) ? 'Timestamp' : name;
    if (key !== '' && channels.size < MAX_CHANNELS) channels.set(key, channel);
  }
  const field = (name: string): Mf4Field | undefined => {
    const channel = channels.get(name);
    if (channel === undefined) return undefined;
    const made = new Mf4Field(channel, readConversion(blocks.at(channel.link(4), 'CC')));
    return made.isNumber && made.fits(recordBytes) ? made : undefined;
  };
  const time = field('Timestamp');
  if (kind === '' || time === undefined || recordBytes > MAX_RECORD_BYTES) return undefined;
  const data = kind === 'Data' ? dataOf(channels.get('DataBytes'), recordBytes) : undefined;
  const id = field('ID');
  if (kind === 'Data' && (data === undefined || id === undefined)) return undefined;
  return {
    kind: kind === 'Data' ? 'frame' : kind === 'Remote' ? 'remote' : 'error',
    time,
    id,
    isExtended: field('IDE'),
    // The ReXgen exporter writes its remote flag as SRR, which means something else in files of other writers.
    isRemote: field('RTR') ?? (firstBus === 1 ? field('SRR') : undefined),
    bus: field('BusChannel'),
    busOfName: Number(BUS_NAME.exec(blocks.textAt(group.link(2)))?.[1] ?? firstBus),
    firstBus,
    code: field('DLC'),
    length: field('DataLength'),
    fixed: data?.fixed,
    variable: data?.variable,
  };
}

/** Yields the channels of a chain, including the channels inside structures. */
function* channelsOf(blocks: Mf4Blocks, first: number, depth: number): Generator<Mf4Block> {
  for (const [, channel] of blocks.list(first, 'CN')) {
    yield channel;
    if (depth < MAX_DEPTH) yield* channelsOf(blocks, channel.link(1), depth + 1);
  }
}

function dataOf(
  channel: Mf4Block | undefined,
  recordBytes: number,
): Pick<FrameChannels, 'fixed' | 'variable'> | undefined {
  if (channel === undefined) return undefined;
  if (channel.data[0] !== VARIABLE_TYPE) {
    const { byte, bits } = new Mf4Field(channel);
    const bytes = Math.floor(bits / 8);
    return byte + bytes <= recordBytes ? { fixed: { byte, bytes }, variable: undefined } : undefined;
  }
  const offset = Mf4Field.ofOffset(channel);
  const link = channel.link(5);
  return offset.fits(recordBytes) && link !== 0
    ? { fixed: undefined, variable: { offset, link } }
    : undefined;
}
