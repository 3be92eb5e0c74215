import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ContactFields } from '#shared/contract/contacts.ts';
import type { ContactOwner } from '#shared/domain/contacts.ts';
import { call } from '#web/lib/api.ts';
import { CONTACTS } from '#web/machines/contact-call.tsx';
import { ALERTS } from '#web/machines/open-alerts.ts';

export const useContacts = (name: string) =>
  useQuery({
    queryKey: [...CONTACTS, 'of', name],
    queryFn: ({ signal }) => call('GET /api/contact/get', { query: { name }, signal }),
  });

/** Reloads the contacts, and the alerts because those show contacts. */
function useInvalidateContacts(): () => Promise<unknown> {
  const client = useQueryClient();
  return () => Promise.all([CONTACTS, ALERTS].map((queryKey) => client.invalidateQueries({ queryKey })));
}

/** A contact to save; without `_id` it is new. `name` is the organization's functional name. */
export type SavedContact = ContactFields & { readonly name: string; readonly _id?: number };

export const useSaveContact = () =>
  useMutation({
    mutationFn: (body: SavedContact) => call('POST /api/contact/save', { body }),
    onSuccess: useInvalidateContacts(),
  });

export const useDeleteContact = () =>
  useMutation({
    mutationFn: (body: { readonly name: string; readonly _id: number }) =>
      call('POST /api/contact/delete', { body }),
    onSuccess: useInvalidateContacts(),
  });

export type UsedBy = { readonly name: string; readonly by: ContactOwner; readonly target: string };

export const useUseContact = () =>
  useMutation({
    mutationFn: (body: UsedBy & { readonly contact: number | null }) =>
      call('POST /api/contact/use', { body }),
    onSuccess: useInvalidateContacts(),
  });
