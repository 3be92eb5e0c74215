/** Marker in every text that belongs to the other organizations. No answer to a person of another organization may contain it. */
export const PRIVATE_TEXT_MARKER = 'GEHEIM7F3A';
/** Wi-Fi password of the loggers; only config.xml may contain it. */
export const LOGGER_WIFI_PASSWORD = 'wifigeheim-7f3a';
/** Latitude of the other organizations' machines. No answer to a person of another organization may contain it. */
export const PRIVATE_LATITUDE = 12.34567;
