import { doNothing, type Story } from '#web/gallery/story.ts';
import type { TimeChartData } from './chart-options.ts';
import { TimeChart } from './time-chart.tsx';

const FROM = Date.UTC(2026, 9, 1, 4) / 1_000;
const HOUR_S = 3_600;
const times = Array.from({ length: 49 }, (_, n) => FROM + (n * HOUR_S) / 2);
const range = { from: FROM, to: FROM + 24 * HOUR_S };
const axis = { min: 0, max: 100, label: (value: number) => `${value} %` };
const battery = { label: 'Accu 1', color: 'var(--success)', values: times.map((_, n) => 100 - 2 * n) };

const chart = (data: Partial<TimeChartData>, cursor?: number) => (
  <TimeChart
    data={{ times, lines: [battery], range, axis, ...data }}
    label="Laadniveau op 1 oktober"
    height={220}
    cursor={cursor}
    onCursor={doNothing}
    keys={{ name: 'Moment', spoken: '', onLeave: doNothing }}
  />
);

export const OneLine: Story = { render: () => chart({}) };
export const Empty: Story = { render: () => chart({ times: [], lines: [{ ...battery, values: [] }] }) };
export const WithCursor: Story = { render: () => chart({}, FROM + 12 * HOUR_S) };
export const BrokenAndDashed: Story = {
  render: () =>
    chart({
      lines: [
        { ...battery, values: times.map((_, n) => (n > 10 && n < 20 ? null : 90 - n)) },
        { label: 'Accu 2', color: 'var(--battery-half)', dash: [6, 4], values: times.map((_, n) => 60 - n) },
      ],
    }),
};
export const BandsAndMarks: Story = {
  render: () =>
    chart({
      bands: [
        { from: FROM + 2 * HOUR_S, to: FROM + 6 * HOUR_S, color: 'var(--status-running-line)' },
        {
          from: FROM + 8 * HOUR_S,
          to: FROM + 10 * HOUR_S,
          color: 'var(--status-charging-line)',
          hatched: true,
        },
      ],
      marks: [{ time: FROM + 12 * HOUR_S, color: 'var(--text-alert)' }],
    }),
};
export const Rows: Story = {
  render: () =>
    chart({
      times: [],
      lines: [],
      axis: { min: 0, max: 1, label: () => '' },
      rows: [
        {
          label: 'Spoor',
          from: [FROM, FROM + 8 * HOUR_S],
          to: [FROM + 7 * HOUR_S, FROM + 20 * HOUR_S],
          styleOf: (n) =>
            n === 0
              ? { color: '#2b8a3e', name: 'Op het spoor' }
              : { color: '#5c5f66', name: 'Naast het spoor' },
        },
      ],
    }),
};
export const OverDistance: Story = {
  render: () =>
    chart({
      times: [0, 500, 1_000, 1_500],
      lines: [{ label: 'Snelheid', color: 'var(--success)', values: [0, 12, 30, 4] }],
      range: { from: 0, to: 1_500 },
      across: { step: 500, label: (metres) => `${metres} m` },
      axis: { min: 0, label: String, unit: 'km/u' },
    }),
};
