import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { FIRST_STEPS, type FirstStep } from '#shared/domain/first-steps.ts';
import { openProposalsText } from '#shared/domain/open-proposals.ts';
import { RetryAlert } from '#web/ui/notice.tsx';
import { TickIcon } from '#web/ui/tick-icon.tsx';
import type { FirstSteps } from './first-steps.ts';
import styles from './first-steps-guide.module.css';

/** Text of the link of each step, and its explanation. */
const GUIDE_TEXTS: Readonly<Record<FirstStep, readonly [link: string, about: string]>> = {
  organization: ['Maak een organisatie', 'De klant van wie de machines zijn.'],
  machine: ['Maak een machine', "Met haar serienummer, haar accu's en haar logger."],
  definition: [
    'Geef de machine een datadefinitie',
    'Upload haar DBC-bestand en koppel de signalen die je wilt zien.',
  ],
  logger: [
    'Koppel een logger',
    'Maak daarna op dezelfde pagina zijn config.xml, of de instellingen van een CANedge.',
  ],
  upload: [
    'Laad config.xml in de logger',
    'Volg de handleiding. Na de eerste upload staat de machine vanzelf op de kaart.',
  ],
};

/** Shown to users who may not create organizations. */
const BY_ADMINISTRATOR = 'Een administrator maakt de organisatie van de klant.';

type FirstStepsGuideProps = {
  readonly steps: FirstSteps;
  /** Whether the guide lies over a map; it then has its own background, and its list scrolls. */
  readonly isOverMap?: boolean;
  /** Whether the list is open at first. */
  readonly isOpen?: boolean;
};

/** A checklist of the steps from an empty portal to the first machine on the map (54.5a). */
export function FirstStepsGuide({ steps, isOverMap, isOpen = true }: FirstStepsGuideProps): ReactNode {
  const { done, paths, openProposals, query } = steps;
  const next = FIRST_STEPS.find((step) => !done.has(step));
  return (
    <details className={`${styles.guide} surface py-1 px-4 mb-6`} data-over-map={isOverMap} open={isOpen}>
      <summary className="fold inherit">
        <span className="cluster gap-x-3">
          <h2>Naar je eerste machine</h2>
          <span className="quiet small">
            {done.size} van {FIRST_STEPS.length} klaar
          </span>
        </span>
      </summary>
      <div>
        <RetryAlert query={query} fallback="De stappen zijn niet bijgewerkt." />
        <ol className={`${styles.steps} stack gap-1 mt-1`} aria-label="Stappen">
          {FIRST_STEPS.map((step, at) => (
            <Step
              key={step}
              number={at + 1}
              step={step}
              path={paths[step]}
              isDone={done.has(step)}
              isNext={step === next}
              openProposals={step === 'definition' ? openProposals : 0}
            />
          ))}
        </ol>
      </div>
    </details>
  );
}

type StepProps = {
  readonly number: number;
  readonly step: FirstStep;
  readonly path: string | undefined;
  readonly isDone: boolean;
  readonly isNext: boolean;
  readonly openProposals: number;
};

function Step({ number, step, path, isDone, isNext, openProposals }: StepProps): ReactNode {
  const [text, about] = GUIDE_TEXTS[step];
  return (
    <li className="beside top py-1" data-done={isDone} aria-current={isNext ? 'step' : undefined}>
      <span className={styles.sign} aria-hidden="true">
        {isDone ? <TickIcon /> : number}
      </span>
      <div className={styles.texts}>
        {path === undefined ? <strong>{text}</strong> : <Link to={path}>{text}</Link>}
        {isDone ? (
          <span className={`${styles.done} ml-2 px-2 small`}>klaar</span>
        ) : (
          <span className="sr-only">, nog niet klaar</span>
        )}
        <p className="quiet small tight">{path === undefined && !isDone ? BY_ADMINISTRATOR : about}</p>
        {openProposals > 0 && <p className="quiet small tight">{openProposalsText(openProposals)}.</p>}
      </div>
    </li>
  );
}
