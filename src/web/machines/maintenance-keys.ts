import { useQueryClient } from '@tanstack/react-query';

/** Query key of the maintenance of one machine; without a serial number, of every machine. */
export const maintenanceKey = (serial?: string) => ['maintenance', ...(serial === undefined ? [] : [serial])];
/** The list of maintenance over all machines, and the templates of models. */
export const FLEET_MAINTENANCE = ['fleet-maintenance'] as const;
export const MAINTENANCE_TEMPLATES = ['maintenance-templates'] as const;

/** Returns a function that refreshes every query about maintenance, after a change of a plan or a template. */
export function useRenewMaintenance(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    const keys = [maintenanceKey(), FLEET_MAINTENANCE, MAINTENANCE_TEMPLATES, ['fleet-figures']];
    await Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })));
  };
}
