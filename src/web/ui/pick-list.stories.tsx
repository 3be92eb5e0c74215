import { doNothing, type Story } from '#web/gallery/story.ts';
import { InputErrors } from './input-errors.ts';
import { PickList } from './pick-list.tsx';

const options = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    value: String(n),
    label: `Machine ${n + 1}`,
    words: `Machine ${n + 1} Volta`,
  }));

const list = (count: number, chosen: readonly string[], opens = false) => (
  <PickList
    label="Machines"
    name="machines"
    none="Alle machines"
    options={options(count)}
    chosen={chosen}
    onChange={doNothing}
    opens={opens}
  />
);

export const NothingChosen: Story = { render: () => list(3, []) };
export const ManyChosen: Story = { render: () => list(9, ['0', '1', '2']) };
export const Open: Story = { render: () => list(3, ['1'], true) };
export const OpenWithManyOptions: Story = { render: () => list(1_060, ['1'], true) };
export const NoOptions: Story = { render: () => list(0, [], true) };
export const Wrong: Story = {
  render: () => (
    <InputErrors value={[{ name: 'machines', word: 'Machines', message: 'Kies een machine.' }]}>
      {list(3, [])}
    </InputErrors>
  ),
};
