import { escapeXmlText } from '#server/platform/xml-text.ts';
import { MAX_GAP_MS } from '#shared/domain/intervals.ts';
import type { PositionRow } from '#shared/domain/reports/route.ts';
import type { OpenedReport } from './read-report.ts';

/** Writes a route as GPX 1.1: a track per machine, and a new segment after each gap. */
export async function* gpxOf({
  title,
  metadata,
  portions,
  notes,
}: OpenedReport): AsyncGenerator<Buffer, void> {
  const time = new Date(metadata.at).toISOString();
  yield Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>
<gpx version="1.1" creator="Werkstroom ${escapeXmlText(metadata.version)}" xmlns="http://www.topografix.com/GPX/1/1">
<metadata><name>${escapeXmlText(title)}</name><desc>${escapeXmlText(notes().join('\n'))}</desc><time>${time}</time></metadata>
`);
  let before: PositionRow | undefined;
  for await (const rows of portions as AsyncIterable<readonly PositionRow[]>) {
    let text = '';
    for (const row of rows) {
      if (row.unused) continue;
      if (row.machine !== before?.machine) {
        if (before) text += '</trkseg></trk>\n';
        text += `<trk><name>${escapeXmlText(nameOf(row))}</name><trkseg>\n`;
      } else if (row.time - before.time > MAX_GAP_MS) text += '</trkseg><trkseg>\n';
      text += `<trkpt lat="${row.latitude}" lon="${row.longitude}"><time>${new Date(row.time).toISOString()}</time></trkpt>\n`;
      before = row;
    }
    yield Buffer.from(text);
  }
  yield Buffer.from(`${before ? '</trkseg></trk>\n' : ''}</gpx>\n`);
}

const nameOf = ({ machine: { alias, serial } }: PositionRow): string =>
  alias === '' ? serial : `${alias} (${serial})`;
