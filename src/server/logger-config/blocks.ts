import { floatText } from './float-text.ts';
import { loggerName } from './logger-text.ts';
import type { PlannedBus, PlannedMessage, PlannedSignal } from './signal-plan.ts';
import { block, list, type XmlElement } from './xml-element.ts';

/** Gives a block its number: each one once, counted from 1. */
export type NextUid = () => number;

/** A snapshot's item: the key under which it is sent, and the block that it comes from. */
export type SnapshotItem = { readonly name: string; readonly uid: number };

/** Log files on the logger's own card; the values are those of the vendor's examples. */
export const storageBlock = (uid: number): XmlElement =>
  block('SDINTERFACE', uid, {
    MaxLogSize: 104_857_600, // bytes
    MaxLogTime: 3600, // seconds
    LogFormat: 'InfluxGeneric1',
    PreLogTime: 0,
    PostLogTime: 0,
    IsPostTimeFromEnableStart: true,
    NumberOfLogs: 0,
    IsEnableCreateNewLog: false,
    InitialEnableState: true,
    EnableUID: 0,
    DisableUID: 0,
    PartitionID: 0,
  });

/** `SilentMode`: the logger only listens, so that it can never disturb a machine. */
export const busBlock = (uid: number, { bus, bitrate, fdBitrate }: PlannedBus): XmlElement =>
  block('CANINTERFACE', uid, {
    Type: fdBitrate === undefined ? 'CAN' : 'CAN_FD',
    PhysicalNumber: bus,
    CANBusSpeed: bitrate,
    CANFDBusSpeed: fdBitrate ?? 0,
    CANFDNonISO: false,
    TSeg1: 0,
    TSeg2: 0,
    SJW: 0,
    TSeg1FD: 0,
    TSeg2FD: 0,
    SJWFD: 0,
    SilentMode: true,
    Autodetect: false,
    WakeUpOption: 'NO_WAKE_UP',
    SleepOption: 'NO_SLEEP',
    SleepNoActivityTime: 0,
    Prescaler: 0,
    PrescalerFD: 0,
    UseBitTiming: false,
    FilterCount: 0,
  });

export const messageBlock = (uid: number, busUid: number, { message, isFd }: PlannedMessage): XmlElement =>
  block('CANMESSAGE', uid, {
    MessageIdentStart: message.id,
    MessageIdentEnd: message.id,
    Direction: 'Input',
    DLC: message.dlc,
    IsExtended: message.extended,
    InterfaceUID: busUid,
    Period: 0,
    TriggeringMessageUniqueID: 0,
    DefaultHex: '00'.repeat(message.dlc),
    CANFD_Option: isFd ? 'FD_FAST_CAN' : 'NORMAL_CAN',
    InputMessageUID: 0,
    Name: loggerName(message.name),
  });

/**
 * The start bit is the DBC's own number, for a Motorola signal too: its most significant bit (RTC2CAN, the
 * vendor's example, has `7|32@0+` as StartBit 7). Named as we want it in the snapshot.
 */
export const signalBlock = (uid: number, messageUid: number, planned: PlannedSignal): XmlElement =>
  block('CANSIGNAL', uid, {
    InputType: 'MESSAGE',
    InputUID: messageUid,
    MessageUID: messageUid,
    StartBit: planned.signal.startBit,
    BitCount: planned.signal.bitCount,
    Endian: planned.signal.bigEndian ? 'MOTOROLA' : 'INTEL',
    DefaultValue: 0,
    ParA: floatText(planned.factor),
    ParB: floatText(planned.offset),
    SignalType: typeOf(planned.signal),
    Name: planned.name,
  });

function typeOf({ float, signed }: PlannedSignal['signal']): string {
  if (float !== 0) return float === 32 ? 'FLOAT32' : 'FLOAT64';
  return signed ? 'SIGNED' : 'UNSIGNED';
}

/** Last values of the items, sent as `…snapshot….json`. */
export function snapshotLists(items: readonly SnapshotItem[], seconds: number, next: NextUid): XmlElement[] {
  const daq = next();
  const itemBlocks = items.map(({ name, uid }) =>
    block('DAQITEM', next(), { DAQID: daq, Name: name, InputUID: uid }),
  );
  const file = block('DAQFILE', next(), {
    Name: 'Snapshot',
    UploadRate: seconds,
    InputUID: daq,
    InputTypeID: 0,
    FileType: 'JSON',
  });
  return [
    list('DAQ_LIST', [block('DAQ', daq, { Number: 1, SamplingRate: 1000 })]),
    list('DAQITEM_LIST', itemBlocks),
    list('DAQFILE_LIST', [file]),
  ];
}

/** Records whatever comes in for the block `inputUid`. */
export const recordBlock = (uid: number, storageUid: number, inputUid: number): XmlElement =>
  block('SDMESSAGE', uid, {
    MessageIdentStart: 0,
    MessageIdentEnd: 0xffff_ffff,
    Direction: 'OutputPeriodic',
    DLC: 8,
    IsExtended: false,
    InterfaceUID: storageUid,
    Period: 0,
    TriggeringMessageUniqueID: 0,
    DefaultHex: '0000000000000000',
    InputMessageUID: inputUid,
  });
