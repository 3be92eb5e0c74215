import type { UseQueryResult } from '@tanstack/react-query';
import { doNothing, type Story } from '#web/gallery/story.ts';
import { CardActions, CardList, CardSkeletons, CardTitle, LoadedList } from './card-list.tsx';
import { DeleteButton } from './delete-button.tsx';
import { EmptyState } from './empty-state.tsx';

type Machine = { readonly name: string; readonly about: string };

const MACHINES: readonly Machine[] = [
  { name: 'Kleine graver', about: 'Volta EX-1' },
  { name: 'Rupskraan met een heel lange naam die niet op een regel past', about: 'Liebherr R 976-E' },
  { name: 'Lader 3', about: 'Volvo L25' },
];

const cards = (items: readonly Machine[]) => (
  <CardList label="Machines" items={items} keyOf={({ name }) => name}>
    {({ name, about }) => (
      <>
        <CardTitle to="/" label={`Open ${name}`}>
          {name}
        </CardTitle>
        <p>{about}</p>
        <CardActions>
          <DeleteButton of={name} onClick={doNothing} />
        </CardActions>
      </>
    )}
  </CardList>
);

const list = (query: { readonly data?: readonly Machine[]; readonly error?: Error }) => (
  <LoadedList
    query={
      { error: null, isFetching: false, refetch: doNothing, ...query } as unknown as UseQueryResult<
        readonly Machine[]
      >
    }
    empty={<EmptyState title="Er zijn nog geen machines" />}
  >
    {cards}
  </LoadedList>
);

export const One: Story = { render: () => cards(MACHINES.slice(0, 1)) };
export const Many: Story = { render: () => cards(MACHINES) };
export const Loading: Story = { render: () => <CardSkeletons /> };
export const Empty: Story = { render: () => list({ data: [] }) };
export const NotLoaded: Story = { render: () => list({ error: new Error() }) };
export const NotRefreshed: Story = { render: () => list({ data: MACHINES.slice(0, 1), error: new Error() }) };
