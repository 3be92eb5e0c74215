import { type ReactNode, useMemo } from 'react';
import type { LiveEntry } from '#shared/contract/live.ts';
import { batteriesOf } from '#shared/domain/battery.ts';
import { positionOf } from '#shared/domain/position.ts';
import {
  type LastFact,
  type LastSighting,
  lastKnownFacts,
  NO_NEARBY_SILENCE,
  nearbySilenceOf,
  usualSilenceCause,
} from '#shared/domain/silence.ts';
import { isStale } from '#shared/domain/staleness.ts';
import { useFleet } from '#web/live/live.ts';
import styles from './last-known.module.css';
import { usePresentPlaceName } from './place-names.ts';

type LastKnownProps = {
  readonly entry: LiveEntry;
  /** Unix milliseconds. */
  readonly now: number;
  /** Name of the machine's project, if known. */
  readonly project?: string | undefined;
  /** `whole`: also shows the time, for pages that do not show it elsewhere; `tight`: one line, for a popup. */
  readonly look?: 'whole' | 'tight';
};

/** Shows the last known facts of a silent machine and the usual cause of its silence; nothing for a machine that reports. */
export function LastKnown(props: LastKnownProps): ReactNode {
  return isStale(props.entry.liveData.GMT_UNIX, props.now) ? <Known {...props} /> : null;
}

/** Last position and time of each fleet's machines, computed once per fleet, because many alerts may show them. */
const sightings = new WeakMap<readonly LiveEntry[], ReadonlyMap<string, LastSighting>>();

/** Returns the last position and time of each machine of a fleet, by serial number. */
function sightedIn(fleet: readonly LiveEntry[]): ReadonlyMap<string, LastSighting> {
  const all =
    sightings.get(fleet) ??
    new Map(
      fleet
        .filter(({ metadata }) => metadata.kind === 'machine')
        .map(({ metadata, liveData }) => [
          metadata.serialNumber,
          { position: positionOf(liveData), lastSeenAt: liveData.GMT_UNIX },
        ]),
    );
  sightings.set(fleet, all);
  return all;
}

/** Returns the short text of one of the last known facts: 'Zwolle', 'accu 12%' or 'laden niet bekend'. */
const inShort = ({ word, value }: LastFact): string =>
  word === 'Accu' || value === 'niet bekend' ? `${word.toLowerCase()} ${value}` : value;

function Known({ entry: { metadata, liveData }, now, project, look }: LastKnownProps): ReactNode {
  const fleet = useFleet();
  const own = sightedIn(fleet).get(metadata.serialNumber);
  const nearby = useMemo(
    () => (own ? nearbySilenceOf(own, sightedIn(fleet).values(), now) : NO_NEARBY_SILENCE),
    [fleet, own, now],
  );
  const nameOf = usePresentPlaceName();
  const at = positionOf(liveData);
  const place = at && nameOf(metadata.organization, at);
  const area = place?.kind === 'terrein' ? place.name : project;
  const known = { values: liveData, batteries: batteriesOf(liveData, metadata.batteries), area, nearby };
  const [lastSeen, ...others] = lastKnownFacts(known);
  const facts = look === 'whole' && lastSeen ? [lastSeen, ...others] : others;
  const cause = usualSilenceCause(known);
  return (
    <section
      className={`${styles.known} stack gap-2 wrap`}
      data-tight={look === 'tight' || undefined}
      aria-label="Laatst bekend"
    >
      {look === 'tight' && facts.length > 0 && <p>Laatst: {facts.map(inShort).join(' · ')}</p>}
      {look !== 'tight' && facts.length > 0 && (
        <dl className="fields-narrow gap-2-4">
          {facts.map(({ word, value }) => (
            <div key={word}>
              <dt className="smaller">{word}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {cause !== undefined && (
        <p>
          <strong>Meestal:</strong> {cause}.
        </p>
      )}
    </section>
  );
}
