import { useMutation } from '@tanstack/react-query';
import type { MouseEvent } from 'react';
import { failureText } from '#web/lib/api.ts';
import { configPath, downloadConfig } from '#web/machines/creation-chain.ts';
import { FailureAlert } from '#web/ui/notice.tsx';
import styles from './download-link.module.css';
import { useRenewal } from './logger-calls.ts';

/** 'Download Config Bestand' (MEDIT-10). */
export function DownloadLink({ serial }: { readonly serial: string }) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => downloadConfig(serial),
    onSuccess: useRenewal(serial),
  });
  const download = (event: MouseEvent): void => {
    event.preventDefault();
    if (!isPending) mutate();
  };
  return (
    <div>
      <a href={configPath(serial)} download="config.xml" className={styles.link} onClick={download}>
        <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
          <path
            d="M12 4v11M7 10.5l5 5 5-5M5 19.5h14"
            fill="none"
            stroke="currentColor"
            strokeWidth="2"
            strokeLinecap="round"
            strokeLinejoin="round"
          />
        </svg>
        Download Config Bestand
      </a>
      <p className={styles.note}>Bevat de geheime sleutel van de logger: geef het aan niemand anders.</p>
      <FailureAlert>{error ? failureText(error, 'Het bestand is niet gedownload.') : undefined}</FailureAlert>
    </div>
  );
}
