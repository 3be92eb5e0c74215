import { doNothing, type Story } from '#web/gallery/story.ts';
import { TextLink } from './link.tsx';
import { SearchedList, SearchField } from './searched-list.tsx';

const NAMES = Array.from({ length: 250 }, (_, n) => `account${n + 1}@klant.nl`);

const list = (names: readonly string[]) => (
  <SearchedList
    items={names}
    textOf={(name) => name}
    label="Zoek een account"
    placeholder="Naam of e-mailadres"
    plural="accounts"
  >
    {(found) => (
      <ul>
        {found.map((name) => (
          <li key={name}>
            <TextLink to="/">{name}</TextLink>
          </li>
        ))}
      </ul>
    )}
  </SearchedList>
);

export const TooFewToSearch: Story = { render: () => list(NAMES.slice(0, 4)) };
export const Searchable: Story = { render: () => list(NAMES.slice(0, 21)) };
export const InPortions: Story = { render: () => list(NAMES) };
export const FieldOnly: Story = {
  render: () => (
    <SearchField label="Zoek een machine" value="graver" onChange={doNothing} found="3 van 40 machines" />
  ),
};
