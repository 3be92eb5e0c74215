import {
  busBlock,
  messageBlock,
  type NextUid,
  recordBlock,
  type SnapshotItem,
  signalBlock,
  snapshotLists,
  storageBlock,
} from './blocks.ts';
import type { PlannedBus } from './signal-plan.ts';
import { block, list, type XmlElement } from './xml-element.ts';

/** What the logger's own receiver measures, and the key of each in a snapshot. */
const POSITION = [
  { type: 'LATITUDE', name: 'LATITUDE' },
  { type: 'LONGITUDE', name: 'LONGITUDE' },
  { type: 'DATETIME', name: 'GMT_UNIX' },
] as const;

/** How many items every snapshot carries, beside the mapped signals. */
export const POSITION_ITEMS = POSITION.length;

/**
 * The BLOCKS element (reference/logger.md section 1.4): where to record, the buses with their messages and
 * signals, the position, the snapshot, and what to record: everything that comes in.
 * A mapping that names LATITUDE or LONGITUDE itself wins over the logger's own receiver.
 */
export function blocksElement(
  buses: readonly PlannedBus[],
  snapshotSeconds: number,
  next: NextUid,
): XmlElement {
  const storageUid = next();
  const usbUid = next();
  const busUids = buses.map((): number => next());
  const receiverUid = next();

  const positions = POSITION.map(({ type, name }) => ({ type, name, uid: next() }));
  const messages: XmlElement[] = [];
  const signals: XmlElement[] = [];
  const recorded: number[] = [];
  const items: SnapshotItem[] = [];
  for (const [index, bus] of buses.entries())
    for (const planned of bus.messages) {
      const messageUid = next();
      messages.push(messageBlock(messageUid, busUids[index] as number, planned));
      recorded.push(messageUid);
      for (const signal of planned.signals) {
        const uid = next();
        signals.push(signalBlock(uid, messageUid, signal));
        items.push({ name: signal.name, uid });
      }
    }
  const mapped = new Set(items.map(({ name }) => name));
  const snapshot = [...positions.filter(({ name }) => !mapped.has(name)), ...items];

  const snapshotBlocks = snapshotLists(snapshot, snapshotSeconds, next);
  const records = [...recorded, ...positions.map(({ uid }) => uid)].map((uid) =>
    recordBlock(next(), storageUid, uid),
  );
  const receiver = block('GNSSINTERFACE', receiverUid, { PhysicalNumber: 0, SamplingRate: 1000 });
  const positionBlocks = positions.map(({ type, uid }) =>
    block('GNSSMESSAGE', uid, { InterfaceUID: receiverUid, Type: type }),
  );
  const lists = [
    list('SDINTERFACE_LIST', [storageBlock(storageUid)]),
    list('USBINTERFACE_LIST', [block('USBINTERFACE', usbUid, {})]),
    list(
      'CANINTERFACE_LIST',
      buses.map((bus, index) => busBlock(busUids[index] as number, bus)),
    ),
    list('GNSSINTERFACE_LIST', [receiver]),
    list('GNSSMESSAGE_LIST', positionBlocks),
    list('CANMESSAGE_LIST', messages),
    list('CANSIGNAL_LIST', signals),
    ...snapshotBlocks,
    list('SDMESSAGE_LIST', records),
  ];
  // A list may be absent, never empty: with kept messages only there is no CANSIGNAL.
  return list(
    'BLOCKS',
    lists.filter(({ children }) => children.length > 0),
  );
}
