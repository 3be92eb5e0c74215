import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { failureText } from '#web/lib/api.ts';
import { readConfig } from '#web/machines/creation-chain.ts';
import { refreshQueries } from '#web/queries/use-change.ts';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { FailureAlert } from '#web/ui/notice.tsx';
import styles from './logger-panel.module.css';

/** The S3 section of a CANedge's configuration (server/logger-config/canedge-settings.ts). */
type Settings = {
  readonly connect: { readonly s3: { readonly server: Readonly<Record<string, string | number>> } };
};

/** Fields that the user enters in the CANedge's configuration, with their names in its editor. */
const SHOWN = [
  ['endpoint', 'Endpoint'],
  ['port', 'Port'],
  ['bucket', 'Bucket'],
  ['region', 'Region'],
  ['accesskey', 'AccessKey'],
  ['secretkey', 'SecretKey'],
] as const;

/** Loads and shows the settings of a CANedge after a click. The page does not contain the secret before that. */
export function CanedgeSettings({ serial }: { readonly serial: string }) {
  const client = useQueryClient();
  const { mutate, isPending, data, error } = useMutation({
    mutationFn: () => readConfig(serial),
    onSuccess: () => refreshQueries(client, 'GET /api/machine/config/download'),
  });
  if (data === undefined)
    return (
      <div>
        <Button
          variant="default"
          size="md"
          className={styles.show}
          classNames={{ label: styles.showLabel! }}
          loading={isPending}
          onClick={() => mutate()}
        >
          Toon instellingen voor de CANedge
        </Button>
        <p className="quiet small">Ze bevatten de geheime sleutel van de logger.</p>
        <FailureAlert>
          {error ? failureText(error, 'De instellingen zijn niet geladen.') : undefined}
        </FailureAlert>
      </div>
    );
  const { server } = (JSON.parse(data) as Settings).connect.s3;
  return (
    <section aria-label="Instellingen voor de CANedge" className="stack">
      <p>
        Vul dit in bij <strong>Connect, S3, Server</strong> in de configuratie van de CANedge, of neem de JSON
        hieronder over in zijn configuratiebestand. Het mobiele netwerk of de wifi stel je in de CANedge zelf
        in. Geef de sleutel aan niemand anders.
      </p>
      <dl className="beside gap-2-4">
        {SHOWN.map(([field, word]) => (
          <div key={field} className={styles.setting}>
            <dt>{word}</dt>
            <dd>
              <code className="wrap">{server[field]}</code>
              <CopyButton text={String(server[field])} label={`Kopieer ${word}`} />
            </dd>
          </div>
        ))}
      </dl>
      <h3 className={styles.heading}>
        JSON <CopyButton text={data} label="Kopieer JSON" />
      </h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a block that scrolls must be reachable by keyboard. */}
      <pre tabIndex={0} className={`${styles.json} p-3 rounded smaller`}>
        {data}
      </pre>
    </section>
  );
}
