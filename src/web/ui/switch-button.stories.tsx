import { doNothing, type Story } from '#web/gallery/story.ts';
import { SwitchButton } from './switch-button.tsx';

type State = { readonly isOn: boolean; readonly isBusy?: boolean; readonly isCalm?: boolean };

const button = ({ isOn, isBusy = false, isCalm = false }: State) => (
  <SwitchButton
    label="Kraanbedrijf De Boer actief"
    isOn={isOn}
    texts={['Actief', 'Niet actief']}
    isBusy={isBusy}
    isCalm={isCalm}
    onSwitch={doNothing}
  />
);

export const On: Story = { render: () => button({ isOn: true }) };
export const Off: Story = { render: () => button({ isOn: false }) };
export const CalmOff: Story = { render: () => button({ isOn: false, isCalm: true }) };
export const Busy: Story = { render: () => button({ isOn: true, isBusy: true }) };
