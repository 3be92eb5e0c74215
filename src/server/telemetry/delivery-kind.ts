import type { DeliveryKind } from '#server/door/upload-backend.ts';
import { formatOf, isLogFormat } from './decode/file-name.ts';

/** Documents are small and read whole; log files are large and spooled (docs/design.md section 7). */
export function kindOf(fileName: string): DeliveryKind {
  const format = formatOf(fileName);
  return isLogFormat(format) || format === 'rxd' ? 'log' : 'document';
}
