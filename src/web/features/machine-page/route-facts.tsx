import type { ReactNode } from 'react';
import { distance } from '#shared/domain/nl.ts';
import styles from './route-facts.module.css';
import { lengthOfStop, type RouteStop, stopsInWords, timesOfStop } from './route-stops.ts';

type RouteFactsProps = {
  /** undefined: not known yet. */
  readonly metres: number | undefined;
  /** m that were carried. */
  readonly carried: number | undefined;
  readonly stops: readonly RouteStop[];
  /** The person chooses the point where a stop began. */
  readonly onIndex: (index: number) => void;
};

/** How far it went, and where it stood for how long: a press on a stop shows it on the map. */
export function RouteFacts({ metres, carried, stops, onIndex }: RouteFactsProps): ReactNode {
  return (
    <>
      <p className={styles.sum}>
        Afstand {distance(metres)}
        {carried ? `, waarvan ${distance(carried)} vervoerd` : ''}, {stopsInWords(stops)}.
      </p>
      {stops.length > 0 && (
        <details className={styles.stops}>
          <summary>Stops</summary>
          <ol>
            {stops.map((stop) => (
              <li key={stop.from}>
                <button type="button" onClick={() => onIndex(stop.index)}>
                  <span>{timesOfStop(stop)}</span>
                  <span className={styles.length}>{lengthOfStop(stop)}</span>
                </button>
              </li>
            ))}
          </ol>
        </details>
      )}
    </>
  );
}
