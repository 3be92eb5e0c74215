import { doNothing, type Story } from '#web/gallery/story.ts';
import { RadioChoice } from './choice.tsx';

export const TwoOptions: Story = {
  render: () => (
    <RadioChoice
      label="Hoe komen mensen binnen?"
      options={[
        { value: 'code', label: 'Met de code', about: 'Wie de code heeft, hoort er meteen bij.' },
        { value: 'approval', label: 'Na goedkeuring', about: 'Een beheerder laat iedereen zelf toe.' },
      ]}
      value="approval"
      onChange={doNothing}
    />
  ),
};
