import { useEffect, useState } from 'react';
import type { Position } from '#shared/domain/position.ts';

/** Returns the user's position if the browser has permission already; undefined if unknown. */
export function useKnownPosition(): Position | undefined {
  const [position, setPosition] = useState<Position>();
  useEffect(() => {
    let isHere = true;
    void mayAsk().then((may) => {
      if (!may || !isHere) return;
      navigator.geolocation.getCurrentPosition(
        ({ coords }) => isHere && setPosition({ lat: coords.latitude, lon: coords.longitude }),
        () => undefined,
      );
    });
    return () => {
      isHere = false;
    };
  }, []);
  return position;
}

/** Returns whether the browser already gave permission. Does not ask for it: only the map page does. */
async function mayAsk(): Promise<boolean> {
  if (!navigator.geolocation || !navigator.permissions) return false;
  const { state } = await navigator.permissions
    .query({ name: 'geolocation' })
    .catch(() => ({ state: 'denied' }));
  return state === 'granted';
}
