import { doNothing, type Story } from '#web/gallery/story.ts';
import { RangeFields } from './range-fields.tsx';

const range = { from: Date.UTC(2026, 9, 1, 6), to: Date.UTC(2026, 9, 2, 16) };
const latest = Date.UTC(2026, 9, 28);

export const Right: Story = {
  render: () => <RangeFields range={range} latest={latest} onChange={doNothing} />,
};
export const Wrong: Story = {
  render: () => (
    <RangeFields
      range={range}
      errors={{ to: 'Het eind ligt voor het begin.' }}
      latest={latest}
      onChange={doNothing}
    />
  ),
};
