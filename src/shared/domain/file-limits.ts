/** The browser refuses larger files before it sends them. */
export const MAX_PHOTO_MB = 20;
export const MAX_PHOTO_BYTES = MAX_PHOTO_MB * 1024 * 1024;
export const MAX_MANUAL_BYTES = 25 * 1024 * 1024;
/** Largest log file, delivered by a logger or uploaded by a person. */
export const MAX_LOG_BYTES = 128 * 1024 * 1024;
