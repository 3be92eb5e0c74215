import { type ReactNode, useId } from 'react';
import { SLIDER_END } from './slider.ts';
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
