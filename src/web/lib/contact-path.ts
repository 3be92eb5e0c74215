/** Returns the address of the page on which a project (its id) or a machine (its serial number) gets a contact. */
export const contactPath = (organization: string, by: 'project' | 'machine', target: string): string =>
  `/organization/${organization}/contacten/${by}/${encodeURIComponent(target)}`;
