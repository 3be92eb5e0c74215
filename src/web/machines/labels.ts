/** Labels and favourites of the fleet: one query that all screens share. */

import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Labels } from '#shared/contract/labels.ts';
import { isActionAllowed } from '#shared/domain/access.ts';
import type { LabelColour } from '#shared/domain/labels.ts';
import { callApi } from '#web/lib/api.ts';
import { readQuery } from '#web/queries/read.ts';
import { refreshQueries } from '#web/queries/use-change.ts';
import { useUser } from '#web/session/user.ts';
import {
  type FleetLabels,
  labelsAfterChange,
  labelsAfterFavouriteChange,
  labelsByMachine,
} from './fleet-labels.ts';

/** Changes by other users show after this time. */
const RENEW_MS = 60_000;

const query = {
  ...readQuery('GET /api/label/get'),
  staleTime: RENEW_MS,
  refetchInterval: RENEW_MS,
};

const NOTHING = labelsByMachine({ labels: [], favourites: [] });
/** Cache of the index of each response, because many machines use the same response. */
const views = new WeakMap<Labels, FleetLabels>();

function viewOf(all: Labels | undefined): FleetLabels {
  if (!all) return NOTHING;
  const view = views.get(all) ?? labelsByMachine(all);
  views.set(all, view);
  return view;
}

/** Returns the labels that the user may see, with their machines, and the user's favourites; none while they load. */
export function useLabels(): FleetLabels {
  const isEnabled = isActionAllowed(useUser(), 'see-machines');
  return viewOf(useQuery({ ...query, enabled: isEnabled }).data);
}

/** Returns the query itself, for screens that show its failure. */
export const useLabelsQuery = () =>
  useQuery({ ...query, enabled: isActionAllowed(useUser(), 'see-machines') });

/** Adds a label to a machine, or removes it. */
export function useSetLabel() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, serial, isOn }: LabelOnMachine) =>
      callApi(isOn ? 'POST /api/label/assign' : 'POST /api/label/unassign', { body: { _id: id, serial } }),
    onSuccess: (_, { id, serial, isOn }) => show(client, (all) => labelsAfterChange(all, id, serial, isOn)),
    // The label or machine may have been deleted meanwhile.
    onError: () => renew(client),
  });
}
export type LabelOnMachine = { readonly id: number; readonly serial: string; readonly isOn: boolean };

/** Adds a machine to the favourites, or removes it. */
export function useSetFavourite() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ serial, isOn }: { readonly serial: string; readonly isOn: boolean }) =>
      callApi(isOn ? 'POST /api/favourite/add' : 'POST /api/favourite/remove', { body: { serial } }),
    onSuccess: (_, { serial, isOn }) => show(client, (all) => labelsAfterFavouriteChange(all, serial, isOn)),
    onError: () => renew(client),
  });
}

export type LabelAppearance = { readonly labelName: string; readonly labelColour: LabelColour };

/**
 * Creates a label of a machine's organization and assigns it to the machine. These are two calls: if only the second
 * fails, the label exists but the machine does not have it.
 */
export function useMakeLabel() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ organization, serial, ...label }: LabelAppearance & OfMachine) => {
      const { _id } = await callApi('POST /api/label/create', { body: { ...label, organization } });
      await callApi('POST /api/label/assign', { body: { _id, serial } });
    },
    onSettled: () => renew(client),
  });
}
type OfMachine = { readonly organization: string; readonly serial: string };

const renew = (client: QueryClient) => refreshQueries(client, 'POST /api/label/edit');

/** Changes the cached response. Cancels a running query first, because its response may be older than the change. */
async function show(client: QueryClient, change: (all: Labels) => Labels): Promise<void> {
  await client.cancelQueries({ queryKey: query.queryKey });
  client.setQueryData(query.queryKey, (all) => all && change(all));
}
