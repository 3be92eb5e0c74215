import { doNothing, type Story } from '#web/gallery/story.ts';
import { PickButtons } from './pick-buttons.tsx';

export const Periods: Story = {
  render: () => (
    <PickButtons
      legend="Periode"
      options={['Dag', 'Week', 'Maand', 'Kwartaal', 'Jaar'].map((label) => ({
        label,
        isPicked: label === 'Week',
        onPick: doNothing,
      }))}
    />
  ),
};
