import { type ReactNode, useId } from 'react';
import { coordinate, dateAndSecond, percent, speed } from '#shared/domain/nl.ts';
import { StepButton } from '#web/ui/step-button.tsx';
import type { RoutePoint } from './history-queries.ts';
import styles from './route-slider.module.css';
import { usePlay } from './use-play.ts';

type RouteSliderProps = {
  readonly points: readonly RoutePoint[];
  readonly index: number;
  readonly onIndex: (index: number) => void;
};

/** Slider that picks or plays the points of the route, with the values at the point (MDET-12). */
export function RouteSlider({ points, index, onIndex }: RouteSliderProps): ReactNode {
  const id = useId();
  const point = points[index]!;
  const play = usePlay(points.length, index, onIndex);
  const choose = (chosen: number): void => {
    play.stop();
    onIndex(chosen);
  };
  const step = (by: number) => choose(Math.min(points.length - 1, Math.max(0, index + by)));
  const spoken = `${dateAndSecond(point.ms)}, ${speed(point.speed)}, laadniveau ${percent(point.soc)}`;
  return (
    <div className={styles.slider}>
      <label htmlFor={id}>Punt op de route</label>
      <div className={styles.controls}>
        <PlayButton isPlaying={play.isPlaying} isOff={points.length < 2} onPress={play.toggle} />
        <StepButton label="Vorig punt" to="previous" isOff={index === 0} onPress={() => step(-1)} />
        <input
          id={id}
          type="range"
          min={0}
          max={points.length - 1}
          step={1}
          value={index}
          aria-valuetext={spoken}
          onChange={({ currentTarget }) => choose(Number(currentTarget.value))}
        />
        <StepButton
          label="Volgend punt"
          to="next"
          isOff={index === points.length - 1}
          onPress={() => step(1)}
        />
      </div>
      <dl className={styles.facts}>
        <div>
          <dt>Tijd</dt>
          <dd>{dateAndSecond(point.ms)}</dd>
        </div>
        <div>
          <dt>Snelheid</dt>
          <dd>{speed(point.speed)}</dd>
        </div>
        <div>
          <dt>Laadniveau</dt>
          <dd>{percent(point.soc)}</dd>
        </div>
        <div>
          <dt>Lat</dt>
          <dd>{coordinate(point.lat)}</dd>
        </div>
        <div>
          <dt>Lon</dt>
          <dd>{coordinate(point.lon)}</dd>
        </div>
      </dl>
      <p role="status" className="sr-only">
        {points.length === 1 && spoken}
      </p>
    </div>
  );
}

type PlayButtonProps = { readonly isPlaying: boolean; readonly isOff: boolean; readonly onPress: () => void };

const PlayButton = ({ isPlaying, isOff, onPress }: PlayButtonProps): ReactNode => (
  <button
    type="button"
    className={styles.play}
    aria-label={isPlaying ? 'Pauzeer de route' : 'Speel de route af'}
    aria-disabled={isOff || undefined}
    onClick={() => isOff || onPress()}
  >
    <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
      <path d={isPlaying ? 'M7 5h3.5v14H7zM13.5 5H17v14h-3.5z' : 'M8 5v14l11-7z'} fill="currentColor" />
    </svg>
  </button>
);
