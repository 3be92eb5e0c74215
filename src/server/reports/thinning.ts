import {
  concatenateReadings,
  type ReadingColumns,
  sliceReadings,
} from '#server/telemetry/readings/columns.ts';

/** Creates a thinner of readings, added in order of time: each time step becomes one reading with the last value of every signal. */
export function createReadingThinner(stepSeconds: number) {
  const ms = stepSeconds * 1000;
  /** The reading of the last time step, to which readings that are added later may belong. */
  let open: ReadingColumns = { times: new Float64Array(), values: [] };
  return {
    /** Adds readings, and returns one reading for each time step that they complete. */
    add(readings: ReadingColumns): ReadingColumns {
      if (ms === 0 || readings.times.length === 0) return readings;
      const parts = open.times.length > 0 ? [open, readings] : [readings];
      const steps = lastValues(concatenateReadings(parts, readings.values.length), ms);
      const last = steps.times.length - 1;
      open = sliceReadings(steps, last);
      return sliceReadings(steps, 0, last);
    },
    /** Returns the reading of the last time step, which no later reading has completed. */
    end: (): ReadingColumns => open,
  };
}

/** Returns one reading per time step of `ms`, at the start of the step, with the last value of each column in the step. */
function lastValues({ times, values }: ReadingColumns, ms: number): ReadingColumns {
  const starts = new Float64Array(times.length);
  const stepOf = new Int32Array(times.length);
  let step = -1;
  for (const [n, time] of times.entries()) {
    const start = Math.floor(time / ms) * ms;
    if (step < 0 || starts[step] !== start) starts[++step] = start;
    stepOf[n] = step;
  }
  return {
    times: starts.subarray(0, step + 1),
    values: values.map((column) => {
      const kept = new Float64Array(step + 1).fill(Number.NaN);
      for (const [n, value] of column.entries()) if (!Number.isNaN(value)) kept[stepOf[n] as number] = value;
      return kept;
    }),
  };
}
