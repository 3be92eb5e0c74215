/** Header that a script sends along with its cookie. It proves that no page of another site made the call (platform/cross-site.ts). */
export const SCRIPT_HEADERS = { 'x-requested-with': 'test' } as const;
