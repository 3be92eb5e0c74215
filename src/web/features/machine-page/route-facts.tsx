import type { ReactNode } from 'react';
import { formatDistance } from '#shared/domain/nl.ts';
import styles from './route-facts.module.css';
import { type RouteStop, stopDurationText, stopsText, stopTimesText } from './route-stops.ts';

type RouteFactsProps = {
  /** Undefined while the distance is not loaded. */
  readonly metres: number | undefined;
  /** The part of `metres` over which the machine was carried, for example on a trailer. */
  readonly carried: number | undefined;
  readonly stops: readonly RouteStop[];
  /** Called with the point at which the chosen stop began. */
  readonly onIndex: (index: number) => void;
};

/** The distance and the stops of the route. Pressing a stop shows it on the map. */
export function RouteFacts({ metres, carried, stops, onIndex }: RouteFactsProps): ReactNode {
  return (
    <>
      <p className="strong">
        Afstand {formatDistance(metres)}
        {carried ? `, waarvan ${formatDistance(carried)} vervoerd` : ''}, {stopsText(stops)}.
      </p>
      {stops.length > 0 && (
        <details className={styles.stops}>
          <summary className="fold">Stops</summary>
          <ol>
            {stops.map((stop) => (
              <li key={stop.from}>
                <button type="button" onClick={() => onIndex(stop.index)}>
                  <span>{stopTimesText(stop)}</span>
                  <span className="strong">{stopDurationText(stop)}</span>
                </button>
              </li>
            ))}
          </ol>
        </details>
      )}
    </>
  );
}
