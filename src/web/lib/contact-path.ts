/** Returns the address of the page that sets the contact of a project (its id) or a machine (its serial number). */
export const contactPath = (organization: string, by: 'project' | 'machine', target: string): string =>
  `/organization/${organization}/contacten/${by}/${encodeURIComponent(target)}`;
