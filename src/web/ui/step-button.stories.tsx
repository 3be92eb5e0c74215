import { doNothing, type Story } from '#web/gallery/story.ts';
import { StepButton } from './step-button.tsx';

export const BothWays: Story = {
  render: () => (
    <>
      <StepButton label="Vorige" to="previous" onPress={doNothing} />
      <StepButton label="Volgende" to="next" onPress={doNothing} />
    </>
  ),
};
export const AtTheEnd: Story = {
  render: () => <StepButton label="Volgende" to="next" isOff onPress={doNothing} />,
};
