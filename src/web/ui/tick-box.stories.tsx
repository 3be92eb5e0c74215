import { doNothing, type Story } from '#web/gallery/story.ts';
import { TickBox } from './tick-box.tsx';

export const Unticked: Story = { render: () => <TickBox label="Alleen machines met meldingen" /> };
export const Ticked: Story = { render: () => <TickBox label="Graafmachine" checked onChange={doNothing} /> };
export const Disabled: Story = { render: () => <TickBox label="Graafmachine" disabled /> };
