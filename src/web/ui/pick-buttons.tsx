import type { ReactNode } from 'react';

type PickButtonsProps = {
  /** Name of the group for screen readers. */
  readonly legend: string;
  readonly options: readonly {
    readonly label: string;
    readonly isPicked: boolean;
    readonly onPick: () => void;
  }[];
};

/** Buttons to choose one of a few options. */
export const PickButtons = ({ legend, options }: PickButtonsProps): ReactNode => (
  <fieldset className="cluster">
    <legend className="sr-only">{legend}</legend>
    {options.map(({ label, isPicked, onPick }) => (
      <button key={label} type="button" className="pill" aria-pressed={isPicked} onClick={onPick}>
        {label}
      </button>
    ))}
  </fieldset>
);
