import { useState } from 'react';
import { doNothing, type Story } from '#web/gallery/story.ts';
import { TimeChart } from './time-chart.tsx';
import { ZoomArea } from './zoom-area.tsx';

const range = { from: Date.UTC(2026, 9, 1) / 1_000, to: Date.UTC(2026, 9, 2) / 1_000 };
const data = {
  times: [range.from, range.to],
  lines: [{ label: 'Accu 1', color: 'var(--success)', values: [20, 90] }],
  range,
  axis: { min: 0, max: 100, label: String },
};

export const TwoCharts: Story = {
  render: () => (
    <ZoomArea range={range} onZoom={doNothing} onReset={doNothing}>
      <TimeChart data={data} label="Laadniveau" height={160} />
      <TimeChart data={data} label="Laadniveau nog eens" height={160} />
    </ZoomArea>
  ),
};

function Zoomed() {
  const [shown, setShown] = useState(range);
  const [cursor, setCursor] = useState<number>();
  const hours = (time: number | undefined) =>
    time === undefined ? '-' : ((time - range.from) / 3_600).toFixed(1);
  return (
    <>
      <ZoomArea range={shown} onZoom={setShown} onReset={() => setShown(range)}>
        <TimeChart
          data={{ ...data, range: shown }}
          label="Laadniveau"
          height={160}
          cursor={cursor}
          onCursor={setCursor}
        />
      </ZoomArea>
      <output>
        {hours(shown.from)} tot {hours(shown.to)}, moment {hours(cursor)}
      </output>
    </>
  );
}

/** Shows, in hours, the range to which the user zooms and the time at which the user points. */
export const Interactive: Story = { render: () => <Zoomed /> };
