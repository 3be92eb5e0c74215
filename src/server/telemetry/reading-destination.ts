import type { QuarantineReason } from '#shared/domain/delivery-findings/delivery-findings.ts';
import { type Binding, bindingAt, type LoggerKey } from './logger-directory.ts';

/** The binding for which a reading is stored, or the reason why it is not stored. */
export type ReadingDestination =
  | { readonly kind: 'stored'; readonly binding: Binding }
  | { readonly kind: 'quarantined'; readonly binding: Binding; readonly reason: QuarantineReason }
  | { readonly kind: 'unbound' | 'left out'; readonly binding?: undefined };

/**
 * Returns the destination of a reading that a logger uploads: the stream that the logger was bound to at the reading's time, if
 * that stream belongs to the organization that the key was created for (INGEST-06). Readings for another organization's machine are
 * quarantined until an administrator decides, because the key may be known to people who no longer have access to that machine.
 * Also quarantined are: readings signed with a key after the date by which it had to be replaced; readings from the time of a former owner
 * that are signed with a key created after that time, because the new owner could write into the former owner's history; and
 * readings that another logger recorded, because the key may be in the wrong logger. A key from before the sale can still upload
 * late log files.
 * @param bindings all bindings of the logger
 * @param key the key that signed the upload
 * @param now time of the upload in ms
 * @param recorder serial number of the logger that recorded the reading; default: the logger of the key
 */
export function readingDestinationOf(
  bindings: readonly Binding[],
  time: number,
  key: Pick<LoggerKey, 'loggerSerial' | 'writerId' | 'replaceBy' | 'createdAt'>,
  now: number,
  recorder = key.loggerSerial,
): ReadingDestination {
  const binding = bindingAt(bindings, time);
  if (!binding) return { kind: 'unbound' };
  if (isKeyReplacementOverdue(key, now))
    return { kind: 'quarantined', binding, reason: { kind: 'former-owners-key' } };
  if (recorder !== key.loggerSerial)
    return {
      kind: 'quarantined',
      binding,
      reason: { kind: 'other-logger', recorder, signer: key.loggerSerial },
    };
  const present = bindings.find((one) => one.writerId === key.writerId);
  if (/*rule:reading-of-former-owner*/ binding.organizationId !== present?.organizationId /*=false*/)
    return { kind: 'quarantined', binding, reason: { kind: 'before-this-binding' } };
  const formerOwner = binding.formerOwners.find(({ until }) => time < until);
  if (
    formerOwner &&
    /*rule:reading-before-sale*/ formerOwner.until <= key.createdAt /*=false*/ &&
    formerOwner.organizationId !== present.organizationId
  )
    return { kind: 'quarantined', binding, reason: { kind: 'before-this-owner' } };
  return { kind: 'stored', binding };
}

/** Returns whether the time for the replacement of a former owner's key is over. @param now ms */
export const isKeyReplacementOverdue = ({ replaceBy }: Pick<LoggerKey, 'replaceBy'>, now: number): boolean =>
  /*rule:key-overdue*/ now >= replaceBy /*=false*/;

/**
 * Returns the destination of quarantined readings that an administrator adopts: the stream that the logger was bound to at their
 * time. `from` and `to` are inclusive.
 */
export function destinationOfQuarantined(
  bindings: readonly Binding[],
  time: number,
  { from, to }: { readonly from: number; readonly to: number },
): ReadingDestination {
  if (time < from || time > to) return { kind: 'left out' };
  const binding = bindingAt(bindings, time);
  return binding ? { kind: 'stored', binding } : { kind: 'unbound' };
}
