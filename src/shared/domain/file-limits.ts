/** What a machine's files may weigh, in bytes. The browser refuses larger ones before it sends them. */
export const MAX_PHOTO_BYTES = 20 * 1024 * 1024;
export const MAX_MANUAL_BYTES = 25 * 1024 * 1024;
/** The largest recorded log in bytes, of a logger and of a person who uploads one. */
export const MAX_LOG_BYTES = 128 * 1024 * 1024;
