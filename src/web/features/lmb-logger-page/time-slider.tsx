import { type ReactNode, useId } from 'react';
import { dateAndSecond } from '#shared/domain/nl.ts';
import type { RailData } from './rail-data.ts';
import { codeText, positionText, SLIDER_END, type SliderMoment, speedText } from './slider-moment.ts';
import styles from './time-slider.module.css';

type TimeSliderProps = {
  /** Position of the slider, from 0 to 1000. */
  readonly position: number;
  /** The values at the position, as a text for a screen reader. */
  readonly text: string;
  readonly onChange: (position: number) => void;
};

/** Slider of 1001 positions over the shown range of time (LOG-03). The middle of its thumb is aligned with the charts' cursors. */
export function TimeSlider({ position, text, onChange }: TimeSliderProps): ReactNode {
  const id = useId();
  return (
    <div className={styles.slider}>
      <label htmlFor={id} className="sr-only">
        Tijdstip
      </label>
      <input
        id={id}
        className="slider inset"
        type="range"
        min={0}
        max={SLIDER_END}
        step={1}
        value={position}
        aria-valuetext={text}
        onChange={({ currentTarget }) => onChange(Number(currentTarget.value))}
      />
    </div>
  );
}

type MomentFactsProps = {
  readonly data: RailData;
  readonly moment: SliderMoment;
  /** Whether the slider's time is before the first reading of the period. */
  readonly isBefore: boolean;
};

const NOT_YET = 'nog geen metingen';

/** List of the values at the slider's time. */
export function MomentFacts({ data, moment, isBefore }: MomentFactsProps): ReactNode {
  const known = [
    ['Tijdstip', dateAndSecond(moment.instant)],
    ['Snelheid', speedText(moment.speed)],
    ['Machinestatus', codeText(data.machinestatus, moment.machinestatus)],
    ['Spoor', codeText(data.spoor, moment.spoor)],
    ['Spoorstand', codeText(data.spoorstand, moment.spoorstand)],
    ['Lat / Lon', positionText(moment.place)],
  ] as const;
  const facts = isBefore ? ([known[0], ...known.slice(1).map(([name]) => [name, NOT_YET])] as const) : known;
  return (
    <dl className="halves gap-2-4">
      {facts.map(([name, text]) => (
        <div key={name}>
          <dt className="small">{name}</dt>
          <dd className="strong">{text}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Returns the values at the slider's time in one line, for a screen reader. */
export const sliderMomentText = (data: RailData, moment: SliderMoment, isBefore: boolean): string =>
  isBefore
    ? `${dateAndSecond(moment.instant)}, ${NOT_YET}`
    : [
        dateAndSecond(moment.instant),
        `snelheid ${speedText(moment.speed)}`,
        `machinestatus ${codeText(data.machinestatus, moment.machinestatus)}`,
        `spoor ${codeText(data.spoor, moment.spoor)}`,
        `spoorstand ${codeText(data.spoorstand, moment.spoorstand)}`,
      ].join(', ');
