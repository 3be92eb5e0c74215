import { type Binding, bindingAt, type LoggerKey } from './logger-directory.ts';

/** What becomes of a reading. */
export type Destination =
  | { readonly kind: 'stored'; readonly binding: Binding }
  | { readonly kind: 'held'; readonly binding: Binding; readonly reason: string }
  | { readonly kind: 'unbound' | 'left out'; readonly binding?: undefined };

/** Why a reading is held, for people. */
export const BEFORE_THIS_BINDING = 'van voor deze koppeling';
export const BEFORE_THIS_OWNER = 'van voor deze eigenaar';
export const FORMER_OWNERS_KEY = 'met een sleutel die een vorige eigenaar kan kennen';
/** @param recorder the logger that the file names @param signer the logger of the key */
export const ofOtherLogger = (recorder: string, signer: string): string =>
  `van logger ${recorder}, met de sleutel van logger ${signer}`;

/**
 * Where a reading goes that a logger delivers: to the stream that it was on at the reading's time, while that is the same
 * organization's as the one that its key is for (INGEST-06). What a logger brings of another organization's machine waits
 * for an administrator: the key may be in hands that have nothing to do with it any more. So does what comes with a key that
 * should have been replaced by now, and a reading dated in the time of a former owner that comes with a key made after that
 * time: the new owner could write into the former one's history. A key made before the sale still delivers late log files.
 * So does what another logger recorded: the key may be in the wrong logger, and its machine's history must not get another's day.
 * @param bindings all of the logger
 * @param key signed the delivery
 * @param now ms, when the delivery came
 * @param recorder serial number of the logger that recorded the reading; default: the key's
 */
export function destinationOf(
  bindings: readonly Binding[],
  time: number,
  key: Pick<LoggerKey, 'loggerSerial' | 'writerId' | 'replaceBy' | 'createdAt'>,
  now: number,
  recorder = key.loggerSerial,
): Destination {
  const binding = bindingAt(bindings, time);
  if (!binding) return { kind: 'unbound' };
  if (isOverdue(key, now)) return { kind: 'held', binding, reason: FORMER_OWNERS_KEY };
  if (recorder !== key.loggerSerial)
    return { kind: 'held', binding, reason: ofOtherLogger(recorder, key.loggerSerial) };
  const present = bindings.find((one) => one.writerId === key.writerId);
  if (/*rule:reading-of-former-owner*/ binding.organizationId !== present?.organizationId /*=false*/)
    return { kind: 'held', binding, reason: BEFORE_THIS_BINDING };
  const formerOwner = binding.formerOwners.find(({ until }) => time < until);
  if (
    formerOwner &&
    /*rule:reading-before-sale*/ formerOwner.until <= key.createdAt /*=false*/ &&
    formerOwner.organizationId !== present.organizationId
  )
    return { kind: 'held', binding, reason: BEFORE_THIS_OWNER };
  return { kind: 'stored', binding };
}

/** Whether a key of a former owner should have been replaced by now (ms). */
export const isOverdue = ({ replaceBy }: Pick<LoggerKey, 'replaceBy'>, now: number): boolean =>
  /*rule:key-overdue*/ now >= replaceBy /*=false*/;

/** Where an administrator lets readings go that were held, `from` and `to` included: to the stream of their time. */
export function destinationOfHeld(
  bindings: readonly Binding[],
  time: number,
  { from, to }: { readonly from: number; readonly to: number },
): Destination {
  if (time < from || time > to) return { kind: 'left out' };
  const binding = bindingAt(bindings, time);
  return binding ? { kind: 'stored', binding } : { kind: 'unbound' };
}
