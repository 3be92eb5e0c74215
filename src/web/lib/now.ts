import { useCallback, useSyncExternalStore } from 'react';

/** A clock that ticks at one interval, for all its listeners. It ticks only while it has listeners. */
type Clock = { now: number; stop: (() => void) | undefined; readonly listeners: Set<() => void> };
const clocks = new Map<number, Clock>();

function clockOf(stepMs: number): Clock {
  let clock = clocks.get(stepMs);
  if (!clock) {
    clock = { now: Date.now(), stop: undefined, listeners: new Set() };
    clocks.set(stepMs, clock);
  }
  return clock;
}

/**
 * Starts ticking; also ticks when the page becomes visible, because timers of a hidden page sleep.
 * @returns a function that stops the clock
 */
function start(clock: Clock, stepMs: number): () => void {
  const tick = (): void => {
    clock.now = Date.now();
    for (const notify of clock.listeners) notify();
  };
  const onVisibility = (): void => {
    if (document.visibilityState === 'visible') tick();
  };
  const timer = setInterval(tick, stepMs);
  document.addEventListener('visibilitychange', onVisibility);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', onVisibility);
  };
}

function watch(stepMs: number, listener: () => void): () => void {
  const clock = clockOf(stepMs);
  clock.listeners.add(listener);
  if (!clock.stop) {
    clock.now = Date.now();
    clock.stop = start(clock, stepMs);
  }
  return () => {
    clock.listeners.delete(listener);
    if (clock.listeners.size > 0) return;
    clock.stop?.();
    clock.stop = undefined;
  };
}

/** Returns the time in Unix milliseconds, refreshed every `stepMs`; the basis of staleness and 'Laatst gezien' (LIVE-07). */
export function useNow(stepMs: number): number {
  const subscribe = useCallback((listener: () => void) => watch(stepMs, listener), [stepMs]);
  return useSyncExternalStore(subscribe, () => clockOf(stepMs).now);
}
