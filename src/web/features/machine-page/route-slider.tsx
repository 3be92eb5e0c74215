import { type ReactNode, useId } from 'react';
import { dateAndSecond, formatCoordinate, formatPercent, formatSpeed } from '#shared/domain/nl.ts';
import { StepButton } from '#web/ui/step-button.tsx';
import type { RoutePoint } from './history-queries.ts';
import { useRoutePlayback } from './use-play.ts';

type RouteSliderProps = {
  readonly points: readonly RoutePoint[];
  readonly index: number;
  readonly onIndex: (index: number) => void;
};

/** Slider that picks or plays the points of the route, with the values at the point (MDET-12). */
export function RouteSlider({ points, index, onIndex }: RouteSliderProps): ReactNode {
  const id = useId();
  const point = points[index]!;
  const play = useRoutePlayback(points.length, index, onIndex);
  const choose = (chosen: number): void => {
    play.stop();
    onIndex(chosen);
  };
  const step = (by: number) => choose(Math.min(points.length - 1, Math.max(0, index + by)));
  const spoken = `${dateAndSecond(point.ms)}, ${formatSpeed(point.speed)}, laadniveau ${formatPercent(point.soc)}`;
  return (
    <div className="stack gap-1">
      <label htmlFor={id} className="small quiet">
        Punt op de route
      </label>
      <div className="row">
        <PlayButton isPlaying={play.isPlaying} isOff={points.length < 2} onPress={play.toggle} />
        <StepButton label="Vorig punt" to="previous" isOff={index === 0} onPress={() => step(-1)} />
        <input
          id={id}
          className="slider"
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
      <dl className="cluster gap-2-6 stretch mt-1">
        <div>
          <dt className="small">Tijd</dt>
          <dd className="strong">{dateAndSecond(point.ms)}</dd>
        </div>
        <div>
          <dt className="small">Snelheid</dt>
          <dd className="strong">{formatSpeed(point.speed)}</dd>
        </div>
        <div>
          <dt className="small">Laadniveau</dt>
          <dd className="strong">{formatPercent(point.soc)}</dd>
        </div>
        <div>
          <dt className="small">Lat</dt>
          <dd className="strong">{formatCoordinate(point.lat)}</dd>
        </div>
        <div>
          <dt className="small">Lon</dt>
          <dd className="strong">{formatCoordinate(point.lon)}</dd>
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
    className="icon-button filled"
    aria-label={isPlaying ? 'Pauzeer de route' : 'Speel de route af'}
    aria-disabled={isOff || undefined}
    onClick={() => isOff || onPress()}
  >
    <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
      <path d={isPlaying ? 'M7 5h3.5v14H7zM13.5 5H17v14h-3.5z' : 'M8 5v14l11-7z'} fill="currentColor" />
    </svg>
  </button>
);
