/** Labels and favourites of the fleet: one answer of the server, which every screen shares. */
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Labels } from '#shared/contract/labels.ts';
import { may } from '#shared/domain/access.ts';
import type { LabelColour } from '#shared/domain/labels.ts';
import { call } from '#web/lib/api.ts';
import { useUser } from '#web/session/user.ts';
import { byMachine, type FleetLabels, withFavourite, withLabel } from './fleet-labels.ts';

export const LABELS = ['labels'] as const;

/** What others change is seen after this. */
const RENEW_MS = 60_000;

const query = {
  queryKey: LABELS,
  queryFn: ({ signal }: { signal: AbortSignal }) => call('GET /api/label/get', { signal }),
  staleTime: RENEW_MS,
  refetchInterval: RENEW_MS,
};

const NOTHING = byMachine({ labels: [], favourites: [] });
/** Made once of each answer, however many machines ask. */
const known = new WeakMap<Labels, FleetLabels>();

function viewOf(all: Labels | undefined): FleetLabels {
  if (!all) return NOTHING;
  const view = known.get(all) ?? byMachine(all);
  known.set(all, view);
  return view;
}

/** The labels that one may see, which machine carries which, and one's favourites; none while they are not there yet. */
export function useLabels(): FleetLabels {
  const isEnabled = may(useUser(), 'see-machines');
  return viewOf(useQuery({ ...query, enabled: isEnabled }).data);
}

/** Whether they could not be loaded, for a screen that is about them. */
export const useLabelsQuery = () => useQuery({ ...query, enabled: may(useUser(), 'see-machines') });

/** Gives a machine a label, or takes it from it. */
export function useSetLabel() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, serial, isOn }: LabelOnMachine) =>
      call(isOn ? 'POST /api/label/assign' : 'POST /api/label/unassign', { body: { _id: id, serial } }),
    onSuccess: (_, { id, serial, isOn }) => show(client, (all) => withLabel(all, id, serial, isOn)),
    // It may have gone meanwhile.
    onError: () => renew(client),
  });
}
export type LabelOnMachine = { readonly id: number; readonly serial: string; readonly isOn: boolean };

/** Makes a machine a favourite, or none any more. */
export function useSetFavourite() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ serial, isOn }: { readonly serial: string; readonly isOn: boolean }) =>
      call(isOn ? 'POST /api/favourite/add' : 'POST /api/favourite/remove', { body: { serial } }),
    onSuccess: (_, { serial, isOn }) => show(client, (all) => withFavourite(all, serial, isOn)),
    onError: () => renew(client),
  });
}

export type LabelText = { readonly labelName: string; readonly labelColour: LabelColour };

/** Makes a label of a machine's organization and gives it to the machine; the second may be refused by itself. */
export function useMakeLabel() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ organization, serial, ...label }: LabelText & OfMachine) => {
      const { _id } = await call('POST /api/label/create', { body: { ...label, organization } });
      await call('POST /api/label/assign', { body: { _id, serial } });
    },
    onSettled: () => renew(client),
  });
}
type OfMachine = { readonly organization: string; readonly serial: string };

/** Renames or recolours: what is left out stays. */
export function useEditLabel() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { readonly _id: number } & Partial<LabelText>) =>
      call('POST /api/label/edit', { body }),
    onSettled: () => renew(client),
  });
}

/** From every machine that carries it. */
export function useDeleteLabel() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (_id: number) => call('POST /api/label/delete', { body: { _id } }),
    onSettled: () => renew(client),
  });
}

const renew = (client: QueryClient) => client.invalidateQueries({ queryKey: LABELS });

/** An answer that is under way may be older. */
async function show(client: QueryClient, change: (all: Labels) => Labels): Promise<void> {
  await client.cancelQueries({ queryKey: LABELS });
  client.setQueryData<Labels>(LABELS, (all) => all && change(all));
}
