import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { isActionAllowed } from '#shared/domain/access.ts';
import { useUser } from '#web/session/user.ts';
import { Page } from '#web/ui/page.tsx';
import { CanedgeGuide } from './canedge-guide.tsx';
import styles from './setup-guide-page.module.css';
import { STEPS } from './steps.tsx';

/** Page '/machine/handleiding': the steps from a boxed logger to a machine on the map (MEDIT-13). Can be printed. */
export function SetupGuidePage() {
  const user = useUser();
  const mayCreate = isActionAllowed(user, 'manage-machines');
  return (
    <Page
      title="Handleiding"
      back={isActionAllowed(user, 'see-machines') ? '/machine/' : '/'}
      action={
        <Button variant="default" size="md" className={styles.print} onClick={() => window.print()}>
          Afdrukken
        </Button>
      }
    >
      <div className={styles.guide}>
        <p className="measure mb-6 large">
          In negen stappen zet je een nieuwe machine met haar logger in het portaal. Nodig: de logger met een
          USB-kabel, het zip-bestand met de firmware, een computer met Windows en de gegevens van de machine.
          Een CANedge stel je anders in: zie onderaan.
        </p>
        <ol className={`${styles.steps} cards gap-4`}>
          {STEPS.map(({ title, Picture, text }, at) => (
            <li key={title} className={styles.step}>
              <Picture />
              <h2 className="row gap-3 mt-1 large">
                <span className={styles.number}>{at + 1}</span>
                {title}
              </h2>
              {text}
            </li>
          ))}
        </ol>
        <CanedgeGuide />
        <section className={`${styles.more} measure mt-8`} aria-labelledby="guide-more">
          <h2 className="mb-3" id="guide-more">
            Anders dan gewoonlijk
          </h2>
          <dl>
            <dt className="inherit strong">De eerste machine van haar type</dt>
            <dd className="mb-4 quiet">
              Kies geen vergelijkbare machine. Upload na het maken het DBC-bestand op dezelfde pagina. Zijn er
              nog signalen te koppelen, dan leidt een knop daarheen.
            </dd>
            <dt className="inherit strong">Er is geen config.xml gedownload</dt>
            <dd className="mb-4 quiet">
              Open de machine met Edit: daar staat wat er ontbreekt, met een knop om verder te gaan.
            </dd>
            <dt className="inherit strong">De machine komt niet op de kaart</dt>
            <dd className="mb-4 quiet">
              Kijk bij Edit naar de toestand van de logger: de laatste upload, de laatste fout, en of deze
              configuratie draait.
            </dd>
            <dt className="inherit strong">Een signaal heeft het verkeerde teken</dt>
            <dd className="mb-4 quiet">
              Ga na of de machine toen laadde of werkte. Klopt de melding, klik dan in de datadefinitie op{' '}
              <b>Herstel met factor -1</b>: het portaal decodeert de logbestanden opnieuw.
            </dd>
            <dt className="inherit strong">Logbestanden zonder metingen</dt>
            <dd className="mb-4 quiet">
              Lees bij Edit in <b>Logbestanden</b> waarom: vaak past het DBC-bestand niet, of staat het bij
              een andere CAN-bus. Herstel de datadefinitie en klik bij het logbestand op{' '}
              <b>Decodeer opnieuw</b>.
            </dd>
          </dl>
          {mayCreate && (
            <p className={styles.go}>
              <Link className="inline gap-0 touch" to="/machine/nieuw">
                Naar Maak Een Nieuwe Machine
              </Link>
            </p>
          )}
        </section>
      </div>
    </Page>
  );
}
