import { useCallback, useSyncExternalStore } from 'react';

/** One clock per step, shared by all who look at it; it ticks only while somebody does. */
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

/** Starts ticking; answers how to stop. A hidden page's timers sleep, so the first look at it ticks too. */
function start(clock: Clock, stepMs: number): () => void {
  const tick = (): void => {
    clock.now = Date.now();
    for (const tell of clock.listeners) tell();
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

/** The time in ms, refreshed every `stepMs`: what staleness and 'Laatst gezien' are counted from (LIVE-07). */
export function useNow(stepMs: number): number {
  const subscribe = useCallback((listener: () => void) => watch(stepMs, listener), [stepMs]);
  return useSyncExternalStore(subscribe, () => clockOf(stepMs).now);
}
