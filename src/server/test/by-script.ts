/** Header that shows that the caller is a script, and not a page of another site that uses the caller's cookie (platform/cross-site.ts). */
export const SCRIPT_HEADERS = { 'x-requested-with': 'test' } as const;
