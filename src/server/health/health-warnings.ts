import { readPortalState } from '#server/alerts/portal-state.store.ts';
import type { Database } from '#server/platform/database.ts';
import type { DiskSpace } from '#server/platform/free-space.ts';
import { countDamaged } from '#server/telemetry/readings/reading-files.store.ts';
import type { WriteQueueHealth } from '#server/telemetry/write-queue.ts';
import { readLastAcceptedUploadMs, readRefusedHost } from '#server/writers/upload-state.store.ts';
import { EVALUATIONS } from '#shared/domain/alerts/evaluations.ts';
import { defaultSettings, kindDefinition, type OperatorAlertKind } from '#shared/domain/alerts/kinds.ts';
import type { PortalState } from '#shared/domain/alerts/portal-state.ts';
import { withHealthCheckTimeout } from './health.ts';

/** Problems that need attention while the portal still serves. */
export type HealthWarnings = {
  /** Returns Dutch sentences without figures or names: anybody may read them. Never throws. */
  read(): Promise<string[]>;
};

type WarningParts = {
  readonly db: Database;
  /** Measures the disk of DATA_DIR. */
  readonly space: () => Promise<DiskSpace>;
  readonly uploads: () => WriteQueueHealth;
  /** Whether BACKUP_DIR is set. */
  readonly isBackedUp: boolean;
  /** Returns the time in ms since 1970. */
  readonly now: () => number;
};

/** The warnings are cached for this long, so that the calls of many load balancers do not each query the database. */
const KEEP_MS = 10_000;
/** Uploads that wait for this long give a warning; loggers give up after 5 s (health.ts). */
const UPLOADS_WAIT_MS = 2_000;
const UPLOADS_STOPPED_MS = 24 * 3_600_000;

/** Opens the warnings. Disk, mails and backups are judged by the default thresholds of the alert rules (docs/alerts.md section 3). */
export function openHealthWarnings({ db, space, uploads, isBackedUp, now }: WarningParts): HealthWarnings {
  let known: { readonly at: number; readonly warnings: Promise<string[]> } | undefined;
  const kinds: readonly OperatorAlertKind[] = ['disk', 'mail-failing'];

  async function evaluate(): Promise<string[]> {
    const [stored, { free, all }, acceptedAt, host] = await Promise.all([
      readPortalState(db, ['mail-failing', 'backup-old'], now()),
      space(),
      readLastAcceptedUploadMs(db),
      readRefusedHost(db),
    ]);
    const portal = { ...stored, disks: [{ place: '', free, all }] };
    const isFiring = (kind: OperatorAlertKind, about: PortalState): boolean =>
      EVALUATIONS[kind].evaluate(about, defaultSettings(kind), now(), new Set()).length > 0;
    const warnings = kinds
      .filter((kind) => isFiring(kind, portal))
      .map((kind) => `${kindDefinition(kind).word}.`);
    if (isBackedUp) {
      if (isFiring('backup-old', { ...portal, backupFailure: undefined })) warnings.push('Back-up te oud.');
      const { backupFailure } = portal;
      if (backupFailure) warnings.push(`Back-up mislukt: ${backupFailure.reason}.`);
    }
    if (acceptedAt !== undefined && now() - acceptedAt > UPLOADS_STOPPED_MS)
      warnings.push('Al een dag is geen upload van een logger aangenomen.');
    if (countDamaged() > 0) warnings.push('Metingen van een afgesloten week zijn beschadigd.');
    if (host !== undefined)
      warnings.push('Uploads van loggers worden geweigerd: een proxy geeft de kop Host niet door.');
    return warnings;
  }

  return {
    async read() {
      if (!known || Math.abs(now() - known.at) >= KEEP_MS) {
        const warnings = withHealthCheckTimeout(evaluate()).catch(() => ['Niet alles kon worden nagekeken.']);
        known = { at: now(), warnings };
      }
      const isWaiting = uploads().waitingMs > UPLOADS_WAIT_MS;
      return [
        ...(isWaiting ? ['Uploads van loggers wachten op de database.'] : []),
        ...(await known.warnings),
      ];
    },
  };
}
