/** Version of Werkstroom. */
export const VERSION = '0.1.0';
