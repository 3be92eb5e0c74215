import { type ReactNode, useId } from 'react';
import { dateAndSecond } from '#shared/domain/nl.ts';
import type { RailData } from './rail-data.ts';
import { codeText, type Moment, placeText, SLIDER_END, speedText } from './slider-moment.ts';
import styles from './time-slider.module.css';

type TimeSliderProps = {
  /** 0 to 1000. */
  readonly position: number;
  /** What stands there, in words. */
  readonly words: string;
  readonly onChange: (position: number) => void;
};

/** 1001 steps over what is shown (LOG-03). Its middle stands where the charts' cursors stand. */
export function TimeSlider({ position, words, onChange }: TimeSliderProps): ReactNode {
  const id = useId();
  return (
    <div className={styles.slider}>
      <label htmlFor={id} className="sr-only">
        Tijdstip
      </label>
      <input
        id={id}
        type="range"
        min={0}
        max={SLIDER_END}
        step={1}
        value={position}
        aria-valuetext={words}
        onChange={({ currentTarget }) => onChange(Number(currentTarget.value))}
      />
    </div>
  );
}

type MomentWordsProps = {
  readonly data: RailData;
  readonly moment: Moment;
  /** Before the first reading of the period. */
  readonly isBefore: boolean;
};

const NOT_YET = 'nog geen metingen';

/** Everything that is known of the slider's moment. */
export function MomentWords({ data, moment, isBefore }: MomentWordsProps): ReactNode {
  const known = [
    ['Tijdstip', dateAndSecond(moment.instant)],
    ['Snelheid', speedText(moment.speed)],
    ['Machinestatus', codeText(data.machinestatus, moment.machinestatus)],
    ['Spoor', codeText(data.spoor, moment.spoor)],
    ['Spoorstand', codeText(data.spoorstand, moment.spoorstand)],
    ['Lat / Lon', placeText(moment.place)],
  ] as const;
  const facts = isBefore ? ([known[0], ...known.slice(1).map(([name]) => [name, NOT_YET])] as const) : known;
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
export const momentLine = (data: RailData, moment: Moment, isBefore: boolean): string =>
  isBefore
    ? `${dateAndSecond(moment.instant)}, ${NOT_YET}`
    : [
        dateAndSecond(moment.instant),
        `snelheid ${speedText(moment.speed)}`,
        `machinestatus ${codeText(data.machinestatus, moment.machinestatus)}`,
        `spoor ${codeText(data.spoor, moment.spoor)}`,
        `spoorstand ${codeText(data.spoorstand, moment.spoorstand)}`,
      ].join(', ');
