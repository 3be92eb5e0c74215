import type { Story } from '#web/gallery/story.ts';
import { NumberField } from './number-field.tsx';

export const Digits: Story = { render: () => <NumberField label="Vermogen" defaultValue="55" unit="kW" /> };
export const Understood: Story = {
  render: () => <NumberField label="Urenstand" description="Bij aanvang" defaultValue="1.234,5" unit="uur" />,
};
export const Wrong: Story = { render: () => <NumberField label="Urenstand" error="Typ een getal." /> };
