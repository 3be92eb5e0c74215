import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { callApi } from '#web/lib/api.ts';
import { deriveQuery } from '#web/queries/read.ts';
import { refreshQueries } from '#web/queries/use-change.ts';
import { isSubscribed, supportsPush, switchPushOff, switchPushOn } from '#web/session/push-device.ts';
import { useUser } from '#web/session/user.ts';
import { pushObstacle, readPushFacts } from './push-obstacle.ts';

/** Queries the user's devices that receive notifications, and whether this device receives them or could. */
export function usePushDevices() {
  const client = useQueryClient();
  useEffect(
    () => whenPermissionChanges(() => void refreshQueries(client, 'POST /api/push/subscribe')),
    [client],
  );
  return useQuery(
    deriveQuery('GET /api/push/get', ['here'], async (signal) => {
      const isKnown = supportsPush();
      const { devices } = await callApi('GET /api/push/get', { signal });
      const own = devices.find(({ isOwn }) => isOwn);
      return {
        devices,
        obstacle: pushObstacle(readPushFacts(isKnown)),
        /** The id of this device, if it receives notifications: the browser may have lost a subscription that the server still has. */
        ownDeviceId:
          isKnown && Notification.permission === 'granted' && (await isSubscribed()) ? own?.id : undefined,
      };
    }),
  );
}

/** Calls `onChange` when the user changes the permission in the browser's settings. Returns a function that stops listening. */
function whenPermissionChanges(onChange: () => void): () => void {
  const stop = new AbortController();
  navigator.permissions
    ?.query({ name: 'notifications' })
    .then((status) => status.addEventListener('change', onChange, stop))
    .catch(() => undefined);
  return () => stop.abort();
}

/**
 * Returns the mutation that switches notifications on this device: on if it is called with undefined, off if it is
 * called with the device's id.
 */
export function useSwitchPush() {
  const { email } = useUser();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (ownDeviceId: number | undefined) => ({
      message: await (ownDeviceId === undefined ? switchPushOn(email) : switchPushOff(ownDeviceId)),
    }),
    onSettled: () => refreshQueries(client, 'POST /api/push/subscribe'),
  });
}
