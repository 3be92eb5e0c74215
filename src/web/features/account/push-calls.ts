import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from '#web/lib/api.ts';
import { isSubscribed, supportsPush, switchOff, switchOn } from '#web/session/push-device.ts';
import { useUser } from '#web/session/user.ts';
import { factsHere, pushObstacle } from './push-obstacle.ts';

const DEVICES = ['push-devices'] as const;

/** Returns the devices that receive notifications, and the state of this one. */
export function usePushDevices() {
  const client = useQueryClient();
  useEffect(
    () => whenPermissionChanges(() => void client.invalidateQueries({ queryKey: DEVICES })),
    [client],
  );
  return useQuery({
    queryKey: DEVICES,
    queryFn: async ({ signal }) => {
      const isKnown = supportsPush();
      const { devices } = await call('GET /api/push/get', { signal });
      const own = devices.find(({ isOwn }) => isOwn);
      return {
        devices,
        obstacle: pushObstacle(factsHere(isKnown)),
        /** Id of this device if the portal sends it notifications, even if the browser has lost its subscription. */
        onAs:
          isKnown && Notification.permission === 'granted' && (await isSubscribed()) ? own?.id : undefined,
      };
    },
  });
}

/** In the settings of the browser, while the page is open. @returns how to hear of it no more */
function whenPermissionChanges(hear: () => void): () => void {
  const stop = new AbortController();
  navigator.permissions
    ?.query({ name: 'notifications' })
    .then((status) => status.addEventListener('change', hear, stop))
    .catch(() => undefined);
  return () => stop.abort();
}

/** `mutate(onAs)`: on where it is off, and the other way round. */
export function useSwitchPush() {
  const { email } = useUser();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (onAs: number | undefined) => (onAs === undefined ? switchOn(email) : switchOff(onAs)),
    onSettled: () => client.invalidateQueries({ queryKey: DEVICES }),
  });
}

/** `mutate(id)`: no more notifications on another one of the person's devices. */
export function useEndDevice() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (id: number) => (await call('POST /api/push/unsubscribe', { body: { id } })).message,
    onSettled: () => client.invalidateQueries({ queryKey: DEVICES }),
  });
}

/** `mutate()`: one comes to this device. */
export function useTestPush() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => (await call('POST /api/push/test')).message,
    onSettled: () => client.invalidateQueries({ queryKey: DEVICES }),
  });
}
