import { decodeLog, type LogOptions, readAllBatches } from '#server/telemetry/decode/test/small-log.ts';

export const POINT_TIME_MS = Date.UTC(2026, 1, 1, 8, 0, 0);
export const TIME_ELEMENT = '<time>2026-02-01T08:00:00Z</time>';
/** Signals of the reading of a `point` at the default position. */
export const POINT_READING = { LATITUDE: 52.1, LONGITUDE: 5.1 };

export const gpx = (content: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1">${content}</gpx>\n`;
/** Returns a GPX with one track, whose points begin on line 3. */
export const track = (points: string) => gpx(`<trk><name>Tuin</name><trkseg>\n${points}</trkseg></trk>`);
export const point = (content: string, lat = '52.1', lon = '5.1') =>
  `<trkpt lat="${lat}" lon="${lon}">${content}</trkpt>\n`;

export const readGpx = (text: string | Uint8Array, options: LogOptions = {}) =>
  readAllBatches(decodeLog(text, { ...options, format: 'gpx' }));
