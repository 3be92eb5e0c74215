import { useEffect, useState } from 'react';
import type { Position } from '#shared/domain/position.ts';

/** The answer, once asked for: coming back to the map asks nothing again. */
let asked: Promise<Position | undefined> | undefined;

function ask(): Promise<Position | undefined> {
  return new Promise((resolve) => {
    // Absent on a page that came over plain http from another machine.
    if (!navigator.geolocation) return resolve(undefined);
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => resolve({ lat: coords.latitude, lon: coords.longitude }),
      (error) => {
        // biome-ignore lint/suspicious/noConsole: MAP-03, "an error is only logged"; a refusal is no fault.
        console.info(`No own position: ${error.message}`);
        resolve(undefined);
      },
    );
  });
}

/** Where the person is, asked of the browser once; undefined until known, or for good (MAP-03). */
export function useOwnPosition(): Position | undefined {
  const [position, setPosition] = useState<Position>();
  useEffect(() => {
    let isHere = true;
    asked ??= ask();
    void asked.then((answer) => isHere && setPosition(answer));
    return () => {
      isHere = false;
    };
  }, []);
  return position;
}
