import type { ReactNode } from 'react';
import { dateAndSecond } from '#shared/domain/nl.ts';
import { codeText, type Moment, placeText, speedText } from './moment.ts';
import styles from './moment-words.module.css';
import type { RailData } from './rail-data.ts';

/** Everything that is known of the slider's moment. */
export function MomentWords({
  data,
  moment,
}: {
  readonly data: RailData;
  readonly moment: Moment;
}): ReactNode {
  const facts = [
    ['Tijdstip', dateAndSecond(moment.instant)],
    ['Snelheid', speedText(moment.speed)],
    ['Machinestatus', codeText(data.machinestatus, moment.machinestatus)],
    ['Spoor', codeText(data.spoor, moment.spoor)],
    ['Spoorstand', codeText(data.spoorstand, moment.spoorstand)],
    ['Lat / Lon', placeText(moment.place)],
  ] as const;
  return (
    <dl className={styles.facts}>
      {facts.map(([name, words]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{words}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The same in one line, for who hears the slider. */
export const momentLine = (data: RailData, moment: Moment): string =>
  [
    dateAndSecond(moment.instant),
    `snelheid ${speedText(moment.speed)}`,
    `machinestatus ${codeText(data.machinestatus, moment.machinestatus)}`,
    `spoor ${codeText(data.spoor, moment.spoor)}`,
    `spoorstand ${codeText(data.spoorstand, moment.spoorstand)}`,
  ].join(', ');
