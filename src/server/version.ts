/** Version of this program. */
export const VERSION = '1.0.0';
