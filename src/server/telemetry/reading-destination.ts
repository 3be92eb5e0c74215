import { type Binding, bindingAt } from './logger-directory.ts';

/** What becomes of a reading. */
export type Destination =
  | { readonly kind: 'stored' | 'held'; readonly binding: Binding }
  | { readonly kind: 'unbound' | 'left out'; readonly binding?: undefined };

/** Why a reading is held, for people. */
export const BEFORE_THIS_BINDING = 'van voor deze koppeling';

/**
 * Where a reading goes that a logger delivers: to the stream that it was on at the reading's time, while that is the same
 * organization's as the one that its key is for (INGEST-06). What a logger brings of another organization's machine waits
 * for an administrator: the key may be in hands that have nothing to do with it any more.
 * @param bindings all of the logger
 * @param writerId the binding that the key is for
 */
export function destinationOf(bindings: readonly Binding[], time: number, writerId: number): Destination {
  const binding = bindingAt(bindings, time);
  if (!binding) return { kind: 'unbound' };
  const present = bindings.find((one) => one.writerId === writerId);
  const isOurs = binding.organizationId === present?.organizationId;
  return { kind: isOurs ? 'stored' : 'held', binding };
}

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
