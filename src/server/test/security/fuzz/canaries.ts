/** In every text of the other organizations that nobody else may read. */
export const PRIVATE = 'GEHEIM7F3A';
/** Wi-Fi password of the loggers: nobody is shown it but in config.xml. */
export const SECRET = 'wifigeheim-7f3a';
/** Latitude of their machines. */
export const PRIVATE_LATITUDE = 12.34567;
