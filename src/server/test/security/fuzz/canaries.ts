/** Marker in every text of the other organizations that must stay private. */
export const PRIVATE = 'GEHEIM7F3A';
/** Wi-Fi password of the loggers; only config.xml may contain it. */
export const SECRET = 'wifigeheim-7f3a';
/** Latitude of the other organizations' machines. */
export const PRIVATE_LATITUDE = 12.34567;
