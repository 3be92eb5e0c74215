import { PREVIEW_DAYS } from '#shared/domain/alerts/kinds.ts';
import { DAILY_MAIL_AT } from '#shared/domain/alerts/quiet-hours.ts';
import { MAX_PHOTO_MB } from '#shared/domain/file-limits.ts';
import { INVITATION_DAYS } from '#shared/domain/link-validity.ts';
import { TRIED_FOR_HOURS } from '#shared/domain/webhooks.ts';

/** Dutch title and description of a group of calls. */
type Noun = { readonly title: string; readonly about: string };

/** Groups of calls by the first part of the path after /api, in the order of the page. */
const NOUNS: Readonly<Record<string, Noun>> = {
  auth: { title: 'Aanmelden', about: 'Inloggen, registreren en een nieuw wachtwoord.' },
  account: { title: 'Mijn account', about: 'Wat iemand aan het eigen account kan doen.' },
  live: {
    title: 'Live',
    about: 'De nieuwste waarden van alle machines en loggers, om elke vijf seconden te vragen.',
  },
  fleet: {
    title: 'Machines bij elkaar',
    about: 'Wat het overzicht van alle machines naast de live data toont.',
  },
  influx: { title: 'Historie', about: 'Route, draaiuren, vermogen en energie uit de bewaarde metingen.' },
  machine: {
    title: 'Machines',
    about: 'Machines, hun logger, hun datadefinitie (DBC) en het configuratiebestand.',
  },
  img: { title: 'Foto’s', about: 'De foto van een machine.' },
  manual: { title: 'Handleidingen', about: 'De handleiding van een machine, in PDF.' },
  berend: { title: 'LMB-loggers', about: 'Loggers van LMB-klanten, en hun gegevens.' },
  mail: { title: 'Laadupdates', about: 'Mail over het laden van een machine.' },
  organization: { title: 'Organisaties', about: 'Organisaties en hun registratiecodes.' },
  workweek: {
    title: 'Werkweek',
    about: 'Wanneer een organisatie werkt: daar houden meldingen zich aan.',
  },
  contact: {
    title: 'Contacten',
    about: 'Wie je belt over een organisatie, een project of een machine.',
  },
  user: { title: 'Gebruikers', about: 'Gebruikers en bij welke organisatie zij horen.' },
  project: { title: 'Projecten', about: 'Plaatsen en perioden van werk.' },
  terrein: {
    title: 'Terreinen',
    about: 'Gebieden van een organisatie die geen project zijn: een werf, een werkplaats, een depot.',
  },
  label: { title: 'Labels', about: 'Woorden die een organisatie haar machines geeft.' },
  fault: {
    title: 'Storingen',
    about: 'De storingscodes die de besturingen (ECU’s) van een machine melden (DM1 van SAE J1939-73).',
  },
  maintenance: {
    title: 'Onderhoud',
    about: 'Wat er om de zoveel draaiuren of maanden aan een machine moet gebeuren, en wat er is gedaan.',
  },
  compare: { title: 'Vergelijken', about: 'Twee tot vijf machines naast elkaar.' },
  favourite: { title: 'Favorieten', about: 'De machines die iemand bij de hand wil hebben.' },
  report: { title: 'Rapporten', about: 'Cijfers van projecten en machines, op het scherm en als bestand.' },
  'report-mail': {
    title: 'Rapporten per mail',
    about: 'Welke rapporten iemand elke week of maand per mail krijgt.',
  },
  push: {
    title: 'Meldingen op een apparaat',
    about: 'Op welke telefoons en computers iemand meldingen krijgt (web push).',
  },
  'report-factor': {
    title: 'Factoren van rapporten',
    about: 'Waarmee een organisatie in haar rapporten rekent; niets is vooraf ingevuld.',
  },
  'charging-tariff': {
    title: 'Laadtarieven',
    about: 'Wat een organisatie voor laden betaalt, in euro per kWh zonder btw; niets is vooraf ingevuld.',
  },
  webhook: {
    title: 'Webhooks',
    about: 'Adressen van programma’s van een organisatie, die te horen krijgen wat er gebeurt.',
  },
  alert: { title: 'Meldingen', about: 'Wat het portaal vanzelf vertelt, en hoe iemand dat te horen krijgt.' },
  'alert-rule': { title: 'Regels voor meldingen', about: 'Waarover het portaal iemand waarschuwt, en wie.' },
  invitation: { title: 'Uitnodigingen', about: 'Iemand met een mail binnenlaten.' },
  applicant: { title: 'Aanvragen', about: 'Wie zich met de code registreerde en op toelating wacht.' },
  log: { title: 'Logboek', about: 'Wie wat deed waarmee, vanaf waar.' },
  map: { title: 'Kaart', about: 'De lagen van de kaart.' },
  health: { title: 'Gezondheid', about: 'Of het portaal werkt, en hoe: voor bewaking en load balancers.' },
  portal: { title: 'Portaal', about: 'Wat er aan het portaal zelf te doen is, voor administrators.' },
  'background-tasks': { title: 'Achtergrondwerk', about: 'Lang werk op de server.' },
  docs: { title: 'Documentatie', about: 'Deze beschrijving, om te lezen en voor programma’s.' },
};

/** Returns the texts of a noun; an unknown noun is its own title. */
export const nounOf = (noun: string): Noun => NOUNS[noun] ?? { title: noun, about: '' };

/** Returns the position of a noun on the page; unknown nouns come last. */
export function placeOf(noun: string): number {
  const place = Object.keys(NOUNS).indexOf(noun);
  return place < 0 ? Number.POSITIVE_INFINITY : place;
}

/** Dutch summaries of the calls, by the contract's keys: customers read the page. */
const DUTCH: Readonly<Record<string, string>> = {
  'GET /api/auth/oidc':
    'Of mensen met een adres van dit domein via hun organisatie kunnen inloggen, en of dat alleen zo kan.',
  'POST /api/auth/oidc/start':
    'Begint het inloggen via de organisatie van het adres: zet een cookie voor tien minuten, en zegt waar de browser heen gaat.',
  'POST /api/auth/oidc/invitation':
    'Begint een uitnodiging (de link van een mail) aan te nemen via de inlogdienst van de organisatie, in plaats van met een wachtwoord: zet een cookie voor tien minuten, en zegt waar de browser heen gaat. Het account wordt gemaakt, gekoppeld aan wie terugkomt, en ingelogd.',
  'GET /api/auth/oidc/callback/:organization':
    'Hier stuurt de inlogdienst iemand terug (met code en state, of error). Leidt door naar het portaal: ingelogd, of met wat er mis ging. Het bewijs is de cookie van het begin, één keer.',
  'POST /api/auth/oidc/confirm':
    'Wie terugkomt met het adres van een account dat niet gekoppeld is, geeft het wachtwoord ervan: koppelt het, en logt in.',
  'GET /api/account/oidc':
    'Of de organisatie een eigen inlogdienst heeft, en sinds wanneer dit account eraan gekoppeld is.',
  'POST /api/account/oidc/link':
    'Begint het koppelen van het account aan dat bij de inlogdienst van de organisatie.',
  'POST /api/account/oidc/unlink':
    'Verbreekt de koppeling; geweigerd waar de organisatie alleen zo laat inloggen.',
  'GET /api/organization/oidc': 'De eigen inlogdienst van een organisatie.',
  'POST /api/organization/oidc':
    'Stelt de inlogdienst van een organisatie in en het domein van haar adressen, nadat de inlogdienst is gevraagd. Zonder geheim blijft het bewaarde.',
  'POST /api/organization/oidc/delete': 'Haalt de inlogdienst weg: iedereen logt weer in met een wachtwoord.',
  'POST /api/organization/oidc/only':
    'Of mensen van de organisatie alleen via haar inlogdienst inloggen. Wie geen administrator is, moet eerst zelf gekoppeld zijn.',
  'GET /api/auth/validate-token':
    'Wie er is ingelogd. Zonder geldige sessie is isAuthenticated onwaar en ontbreekt user; message kan zeggen waarom zij eindigde.',
  'POST /api/auth/login':
    'Logt in: zet de sessiecookie, en een cookie waaraan deze browser later wordt herkend. Heeft het account een tweede stap: 401 second-factor-required, en een cookie van vijf minuten daarvoor.',
  'POST /api/auth/register':
    'Maakt een account bij de organisatie van wie de code is. Een nieuw wachtwoord heeft 8 tot 128 tekens. Beslist die organisatie zelf wie erin komt, dan zegt waits dat iemand de aanvraag eerst moet toelaten.',
  'POST /api/auth/confirm-address/send':
    'Mailt een link waarmee je laat zien dat het e-mailadres van je account van jou is.',
  'POST /api/auth/confirm-address': 'Bevestigt het e-mailadres van een account, met de gemailde link.',
  'POST /api/auth/forgot-password':
    'Mailt een link en een code om een nieuw wachtwoord mee te kiezen. Het antwoord is hetzelfde als het account niet bestaat. Zonder mailserver zegt note wie een link kan geven.',
  'POST /api/auth/reset-password-with-code':
    'Stelt met de gemailde code een nieuw wachtwoord in (8 tot 128 tekens) en beëindigt alle sessies van het account.',
  'POST /api/auth/reset-link':
    'Van wie de gemailde link met dit token is. 400 als hij is gebruikt of verlopen.',
  'POST /api/auth/reset-password-with-link':
    'Stelt met het token van de gemailde link een nieuw wachtwoord in (8 tot 128 tekens) en beëindigt alle sessies van het account.',
  'POST /api/auth/login/code':
    'De tweede stap van het inloggen, na 401 second-factor-required: de code van een authenticator-app, of een herstelcode.',
  'POST /api/auth/passkey/options':
    'Wat een browser nodig heeft om een passkey te tonen, vijf minuten lang: een willekeurige van dit portaal, of na 401 second-factor-required een van dat account.',
  'POST /api/auth/passkey/login': 'Logt in met een passkey, met of zonder wachtwoord ervoor.',
  'POST /api/auth/logout': 'Beëindigt de sessie op de server en verwijdert de cookie.',

  'POST /api/account/password':
    'Wijzigt het eigen wachtwoord (8 tot 128 tekens) van wie het huidige geeft. Andere sessies eindigen, deze gaat verder met een nieuwe cookie.',
  'GET /api/account/factors': 'De eigen tweede stappen, en hoeveel herstelcodes er nog zijn.',
  'POST /api/account/factors/totp':
    'Een geheim voor een nieuwe authenticator-app. Het telt zodra de eerste code getoond is, binnen 10 minuten.',
  'POST /api/account/factors/totp/confirm':
    'Voegt de authenticator-app toe die deze code toont. De sessie krijgt een nieuwe cookie.',
  'POST /api/account/factors/passkey':
    'Wat een browser nodig heeft om een passkey te maken, binnen 10 minuten.',
  'POST /api/account/factors/passkey/confirm':
    'Voegt de passkey toe die de browser maakte. De sessie krijgt een nieuwe cookie.',
  'POST /api/account/factors/rename': 'Geeft een eigen tweede stap een andere naam.',
  'DELETE /api/account/factors':
    'Verwijdert een eigen tweede stap. De laatste blijft waar er een verplicht is.',
  'POST /api/account/factors/recovery-codes':
    'Nieuwe herstelcodes in plaats van de oude. Ze worden één keer getoond.',
  'POST /api/user/reset-factor':
    'Neemt de tweede stappen weg van iemand met een lagere rol, die ze kwijt is: beëindigt de sessies en mailt die persoon.',
  'POST /api/user/link':
    'Op een portaal zonder mailserver: een link om door te geven, waarmee iemand die zich registreerde het portaal in kan, of iemand met een lagere rol een nieuw wachtwoord kiest.',
  'GET /api/organization/second-factor':
    'Of iedereen in een organisatie een tweede stap nodig heeft, en hoeveel mensen er nog geen hebben.',
  'POST /api/organization/second-factor':
    'Verplicht iedereen in een organisatie tot een tweede stap, of niet langer, ook wie op dat moment is ingelogd.',

  'GET /api/live':
    'De nieuwste waarden van de eigen machines en LMB-loggers, op serienummer of loggerid. Kent ETag en 304.',

  'GET /api/influx/gps/:serialNumber':
    'Waar een machine is geweest, op volgorde van tijd, uitgedund tot wat een scherm kan tonen. Met resolution=full komt elk punt.',
  'GET /api/influx/driverhours/:serialNumber':
    'Draaiuren: ‘Urenstand bij aanvang’ plus de draaiuren van alle bewaarde metingen.',
  'GET /api/influx/workpower/:serialNumber':
    'Gemiddeld vermogen over de draaitijd, in kW, met de dagen waarover is gemiddeld.',
  'GET /api/influx/powerback/:id':
    'Teruggeleverde energie in kWh van een machine (serienummer) of LMB-logger (loggerid).',
  'GET /api/influx/sessions/:serialNumber':
    'De laadbeurten van een machine die in een periode begonnen, de nieuwste eerst, hoogstens 200.',
  'GET /api/influx/sessions/:serialNumber/curve':
    'Het vermogen van een laadbeurt over het laadniveau: gemiddeld kW per heel procent.',
  'GET /api/influx/capacity/:serialNumber':
    'Wat de accu’s van een machine opnemen en afgeven, uit het laden en ontladen van 90 dagen.',
  'GET /api/influx/forecast/:serialNumber':
    'Wanneer een machine die laadt vol zal zijn, en hoe eerdere voorspellingen uitkwamen.',
  'GET /api/influx/days/:serialNumber':
    'De dagen van een maand van een machine: tijden, energie, afstand en hoe volledig de gegevens zijn.',
  'GET /api/influx/unused-levels/:serialNumber':
    'Hoeveel laadniveaus van 0% van een machine op een dag niet tellen: zo snel loopt geen accu leeg of vol.',
  'GET /api/influx/day/:serialNumber':
    'Een dag in één oogopslag: de lading per accu, en wanneer de machine draaide of laadde.',
  'GET /api/influx/speeds/:serialNumber':
    'Hoe snel een machine ging in hoogstens 7 dagen: hoogste en gemiddelde snelheid, zelf gereden en vervoerd apart, en de hoogste van elk stukje tijd.',
  'GET /api/influx/transports/:serialNumber':
    'De tijden in een periode waarin een machine werd vervoerd: van waar, naar waar en hoe ver.',
  'GET /api/influx/signals/:id':
    'De signalen onder eigen naam (bewaard) van een machine (serienummer) of LMB-logger (loggerid) die sinds een tijd zijn gestuurd, met hun eenheid.',
  'GET /api/influx/signals/:id/values':
    'Het verloop van 1 tot 8 van die signalen (names: een JSON-lijst): laagste, gemiddelde en hoogste per vak, of van een korte periode elke waarde.',

  'GET /api/machine/create':
    'Maakt een machine: de eerste stap van drie. Een serienummer dat al bestaat geeft 409.',
  'GET /api/machine/edit':
    'Wijzigt een machine. Met version volgt 409 als iemand anders haar intussen wijzigde. current_serial noemt haar als het serienummer verandert.',
  'POST /api/machine/create':
    'Als GET /api/machine/create, in een body. Met logger_from is het geen bezwaar dat de logger nu daarvoor meet: writer/move verplaatst hem.',
  'POST /api/machine/edit': 'Als GET /api/machine/edit, in een body.',
  'GET /api/machine/erasure/:serial':
    'Wat de laatste 30 dagen van de metingen is gewist, en de namen van de signalen die gewist kunnen worden.',
  'GET /api/machine/erasure/:serial/preview':
    'Wat wissen zou wegnemen in een tijd: van één signaal, of alles.',
  'POST /api/machine/erasure/create':
    'Wist de metingen van een tijd: één signaal, of alles. Het loopt vanzelf en kan 30 dagen worden teruggezet. 409 zolang er al gewist of opnieuw gedecodeerd wordt.',
  'POST /api/machine/erasure/undo':
    'Zet terug wat de laatste 30 dagen is gewist; wat sindsdien binnenkwam, blijft.',
  'GET /api/machine/sale/:serial':
    'Wat een verkoop van de machine aan bedrijf zou doen, in getallen. at: vanaf welk moment (ISO-tijd); weggelaten: nu.',
  'POST /api/machine/sell':
    'Geeft de machine aan een andere organisatie, vanaf at (ISO-tijd, niet in de toekomst; weggelaten: nu). from: van wie zij nu is; anders volgt 409.',
  'DELETE /api/machine/delete':
    'Verwijdert een machine. Haar metingen blijven nog even bewaard; haar logger en serienummer zijn vrij.',
  'GET /api/machine/get': 'De hulpstukken van één machine, op serienummer of op merk en naam.',
  'GET /api/machine/get/serial': 'Eén machine, op serienummer.',
  'GET /api/machine/get/all': 'De eigen machines; voor wie van admin is alle machines.',
  'GET /api/machine/get/deleted': 'Verwijderde machines die nog terug te zetten zijn, de nieuwste eerst.',
  'POST /api/machine/restore':
    'Zet een verwijderde machine terug, op haar _id, tenzij haar serienummer al is vergeven; zonder logger als die intussen ergens anders hoort.',
  'GET /api/machine/writer/create':
    'Koppelt een logger aan een machine of LMB-logger, met de datadefinitie van een vergelijkbare machine: de tweede stap van drie. Mag herhaald worden.',
  'POST /api/machine/writer/move':
    'Koppelt een logger die voor een andere machine of LMB-logger meet (from): vanaf nu meet hij voor deze. 409 als hij intussen ergens anders hoort.',
  'POST /api/machine/writer/replace':
    'Koppelt een andere logger in plaats van de huidige (replaces), waarvan de sleutels voortaan worden geweigerd. from: waar hij vandaan mag komen. 409 als er intussen een andere logger hoort.',
  'POST /api/machine/writer/take-back':
    'Zet een koppeling terug die in de laatste 30 dagen eindigde (id uit formerLoggers), met de sleutels van toen. De huidige logger wordt losgekoppeld.',
  'POST /api/machine/writer/release':
    'Ontkoppelt de logger; zijn sleutels worden voortaan geweigerd. Met influx_serial volgt 409 als er intussen een andere logger hoort.',
  'POST /api/machine/writer/key':
    'Geeft de logger een nieuwe sleutel. De oude werkt tot de eerste upload met de nieuwe, of met withdraw vanaf nu niet meer.',
  'POST /api/machine/writer/take-over':
    'Slaat de metingen van één levering in quarantaine op die van voor de koppeling zijn, bij de machine van toen. Mag herhaald worden tot het lukt.',
  'GET /api/machine/writer/health/:serial':
    'Hoe het met de logger gaat: laatste upload, laatste fout, tellers, zijn Status.json, gebeurtenissen, en of zijn configuratie draait.',
  'GET /api/machine/writer/unknown':
    'Sleutels waarmee loggers zich meldden en die worden geweigerd, de nieuwste eerst: de map waarin ze wilden schrijven, de logger die de map noemt, en van wie de sleutel was.',
  'GET /api/machine/writer/keys-to-replace':
    'Verkochte machines waarvan de logger nog een sleutel heeft die de vorige eigenaar kan kennen, de dringendste eerst.',
  'GET /api/machine/writer/old-addresses':
    'Loggers waarvan de configuratie een oud adres van het portaal noemt: die draait, zoals de logger meldt, anders de nieuwste.',
  'POST /api/machine/writer/network':
    'Hoe de logger het portaal bereikt. Een geheim dat ontbreekt blijft zoals het was; een leeg geheim wordt gewist.',
  'GET /api/machine/config/create':
    'Maakt config.xml met een nieuwe GUID: de derde stap van drie. Kan dat niet, dan zegt 409 in woorden wat er ontbreekt.',
  'GET /api/machine/config/download':
    'config.xml zoals het bestand het laatst is gemaakt. Er staan geheimen in. 404 zolang het niet is gemaakt.',
  'GET /api/machine/empty-logs':
    'De machines en LMB-loggers waarvan de laatste tien logbestanden van de logger geen meting opleverden.',
  'GET /api/machine/closed-week/:serial':
    'De afgesloten weken van een machine of LMB-logger, de nieuwste eerst: een regel per week en eigenaar.',
  'GET /api/machine/closed-week/:serial/:monday':
    'De metingen van een afgesloten week als Parquet-bestand: het bewaarde bestand zelf, of een bestand dat van meer bestanden en late metingen wordt gemaakt. Had de week meer eigenaren, dan zegt organization van wie.',
  'GET /api/machine/log-file/:serial':
    'De bewaarde logbestanden van een machine of LMB-logger, van de huidige eigenaar, de nieuwste eerst: hoogstens most van count.',
  'GET /api/machine/log-file/:serial/:id':
    'Een bewaard logbestand zelf, zonder de geheimen die in een .rxd-bestand staan.',
  'POST /api/machine/log-file/decode':
    'Decodeert een bewaard logbestand opnieuw, met de datadefinities van toen, en slaat de metingen op die er nog niet waren.',
  'POST /api/machine/log-file/upload':
    'Bewaart en decodeert een logbestand van een SD-kaart. De body is het bestand zelf (application/octet-stream, hoogstens 128 MB).',
  'POST /api/machine/dbc/upload':
    'Legt de DBC van één CAN-bus (0 tot 3) en de bitsnelheid vast, en koppelt signalen met gelijke namen. Met ask wordt er niets bewaard als er iets vervalt; changes zegt dan wat.',
  'GET /api/machine/dbc/:serial': 'Berichten, signalen, koppelingen, en wat nog niet gekoppeld is.',
  'POST /api/machine/dbc/j1939':
    'Kiest welke berichten van een CAN-bus SAE J1939 zijn: die worden herkend aan hun groep en afzender, welke prioriteit ze ook hebben. Maakt een nieuwe versie.',
  'POST /api/machine/dbc/mapping':
    'Legt vast welk DBC-signaal welk signaal van het portaal voedt. Met version volgt 409 als iemand anders het intussen wijzigde.',
  'POST /api/machine/dbc/delete':
    'Verwijdert de DBC van één bus, of de hele datadefinitie, met wat ervan gekoppeld was. Met ask wordt er niets bewaard; changes zegt wat er vervalt.',
  'GET /api/machine/dbc/:serial/sources':
    'De J1939-afzenders in de bewaarde logbestanden van de laatste 30 dagen, per bericht, en hoe vaak elk signaal zonder waarde kwam.',
  'GET /api/machine/dbc/:serial/versions':
    'De nieuwste 200 versies van de datadefinitie, de nieuwste eerst: wie ze maakte, wanneer, en wat ze wijzigden.',
  'POST /api/machine/dbc/restore':
    'Zet een eerdere versie terug, als een nieuwe. Met ask wordt er niets bewaard; changes zegt wat er verandert.',
  'POST /api/machine/dbc/redecode':
    'Begint de bewaarde logbestanden van de laatste 30 dagen opnieuw te decoderen met de huidige datadefinitie; met preview wordt er niets vervangen. 409 zolang er een bezig is.',
  'GET /api/machine/dbc/:serial/redecode':
    'Hoe ver het opnieuw decoderen is, of wat het de laatste keer deed; null als het nog nooit gebeurde.',
  'GET /api/machine/dbc/:serial/reference':
    'Wat het opslaan met deze vergelijkbare machine aan de datadefinitie zou veranderen.',

  'GET /api/machine/files/:serial':
    'Waar de foto en de handleiding van een machine staan; null voor wat zij niet heeft.',
  'GET /api/img/:serial': 'Waar de foto van een machine staat; 404 als zij er geen heeft.',
  'GET /api/img/:serial/:hash': 'De foto zelf: WebP, hoogstens 2048 pixels, zonder verborgen gegevens.',
  'POST /api/img/upload': `Vervangt de foto van een machine: JPEG, PNG, WebP, AVIF, GIF of TIFF, als data-URL, hoogstens ${MAX_PHOTO_MB} MB. De inhoud telt, niet de naam.`,
  'POST /api/img/delete': 'Verwijdert de foto van een machine.',
  'GET /api/manual/:serial': 'Waar de handleiding van een machine staat; 404 als zij er geen heeft.',
  'GET /api/manual/:serial/:hash': 'De handleiding zelf, om in een tabblad te tonen.',
  'POST /api/manual/upload':
    'Vervangt de handleiding van een machine: een PDF van hoogstens 25 MB, als data-URL.',
  'POST /api/manual/delete': 'Verwijdert de handleiding van een machine.',

  'GET /api/berend/get': 'De eigen LMB-loggers; voor wie van admin is alle.',
  'GET /api/berend/get/one':
    'Eén LMB-logger, op loggerid of op naam (met de organisatie erbij als meer organisaties die naam gebruiken).',
  'GET /api/berend/get/data':
    'Snelheid, machinestatus, spoordata en positie in een periode. points is het aantal vakken voor wat getekend wordt.',
  'GET /api/berend/new': 'Maakt een LMB-logger voor een LMB-klant.',
  'GET /api/berend/get/deleted': 'Verwijderde LMB-loggers die nog terug te zetten zijn, de nieuwste eerst.',
  'POST /api/berend/restore':
    'Zet een verwijderde LMB-logger terug, op zijn _id, tenzij zijn loggerid of naam al is vergeven.',
  'DELETE /api/berend/delete': 'Verwijdert een LMB-logger. Zijn metingen blijven nog even bewaard.',

  'GET /api/mail/subscription-status': 'Of je mail krijgt over het laden van een machine.',
  'POST /api/mail/subscribe': 'Mail als het laden begint, stopt of klaar is. Mag herhaald worden.',
  'POST /api/mail/unsubscribe': 'Geen mail meer over het laden van een machine. Mag herhaald worden.',
  'POST /api/mail/unsubscribe/:token':
    'Wat een mailprogramma aanroept als zijn lezer zich afmeldt (RFC 8058); het token staat in de mail.',
  'GET /api/mail/unsubscribe/:token': 'Verwijst door naar de pagina van de machine, die het vraagt.',

  'GET /api/log':
    'Wie wat deed waarmee, het nieuwste eerst, 50 tegelijk: een administrator leest alles, een beheerder wat van zijn organisatie is.',
  'GET /api/log/csv': 'Hetzelfde, in zijn geheel, als CSV met puntkomma’s voor Excel.',
  'GET /api/organization/get':
    'Voor wie van admin is alle organisaties, voor een ander alleen de eigen, op volgorde van hun naam.',
  'GET /api/organization/get/electric': 'Alleen organisaties van wie een machine kan zijn.',
  'GET /api/organization/get/berende': 'Alleen LMB-klanten: organisaties van wie een LMB-logger kan zijn.',
  'GET /api/organization/create': 'Maakt een organisatie; het portaal bedenkt haar registratiecode.',
  'GET /api/organization/privacy':
    'Wie van een organisatie ziet waar haar machines waren, en hoe lang dat wordt bewaard.',
  'POST /api/organization/privacy':
    'Bepaalt wie van een organisatie ziet waar haar machines waren, en hoeveel dagen posities worden bewaard (null: zo lang als metingen).',
  'GET /api/fault/get':
    'De storingscodes van een machine: sinds wanneer elk actief is, wanneer die voor het laatst is gezien en sinds wanneer die over is. Met `start` en `end` alleen wat in die tijd is gezien of eindigde.',
  'GET /api/maintenance/get':
    'Het onderhoud van een machine: wat wanneer moet gebeuren, en wat er is gedaan.',
  'POST /api/maintenance/create': 'Voegt onderhoud aan een machine toe.',
  'POST /api/maintenance/edit': 'Wijzigt onderhoud, en wanneer het voor het laatst is gedaan.',
  'POST /api/maintenance/done':
    'Noteert dat onderhoud is gedaan: de volgende keer telt vanaf die dag en die urenstand.',
  'POST /api/maintenance/delete': 'Verwijdert onderhoud, met wat ervoor is gedaan.',
  'GET /api/maintenance/list':
    'Het onderhoud van alle machines, wat het eerst nodig is eerst: de eerste 500 taken, en hoeveel er nodig of bijna nodig zijn.',
  'GET /api/maintenance/file': 'Hetzelfde, in zijn geheel, als CSV of XLSX.',
  'GET /api/maintenance/template/get': 'De onderhoudssjablonen, met hun taken en hoeveel machines ze hebben.',
  'POST /api/maintenance/template/create': 'Maakt een onderhoudssjabloon voor een merk en model.',
  'POST /api/maintenance/template/edit':
    'Wijzigt de taken van een sjabloon. Taken op machines die het sjabloon volgen, wijzigen mee; een taak die wegvalt, blijft op de machines.',
  'POST /api/maintenance/template/delete': 'Verwijdert een sjabloon; de taken blijven op de machines.',
  'GET /api/maintenance/template/preview': 'Welke machines welke taken van een sjabloon zouden krijgen.',
  'POST /api/maintenance/template/apply':
    'Geeft machines van het model de taken die zij niet hebben, geteld vanaf vandaag en hun urenstand. Mag worden herhaald.',
  'GET /api/compare/courses':
    'Twee tot vijf machines naast elkaar in een periode van hoogstens 31 dagen: acculading, vermogen, en wanneer zij draaiden en laadden.',
  'GET /api/compare/figures':
    'De cijfers van twee tot vijf machines over hoogstens 31 hele dagen, een rij per machine, met dezelfde rekenregels als de rapporten.',
  'GET /api/workweek/get':
    'De werkweek en de vrije dagen van een organisatie; de gewone als zij niets instelde.',
  'POST /api/workweek/set': 'Stelt de werkweek en de vrije dagen van een organisatie in.',
  'GET /api/workweek/night':
    'De uren van afgelopen nacht van de eigen organisatie, voor rapporten: van het einde van het werk gisteren tot het begin van het werk vandaag; 18:00 tot 06:00 als er geen werkweek is ingesteld of er ’s nachts wordt gewerkt.',
  'GET /api/workweek/own':
    'De machines, projecten en labels van een organisatie met een eigen werkweek, en welke van twee weken geldt.',
  'GET /api/workweek/own/get':
    'Een label, project of machine met zijn eigen werkweek; null als die er niet is.',
  'POST /api/workweek/own/set':
    'Geeft een label, project of machine een eigen werkweek, die voor die van de organisatie gaat.',
  'POST /api/workweek/own/delete': 'Verwijdert de eigen werkweek van een label, project of machine.',
  'GET /api/contact/get': 'De contacten van een organisatie op naam, en waar elk ervan wordt gebruikt.',
  'GET /api/contact/nearest':
    'Het contact van een machine, anders dat van het project waar zij op staat, anders dat van haar organisatie. Alleen contacten die de rol van de vrager mag zien.',
  'POST /api/contact/save':
    'Maakt een contact van een organisatie, of wijzigt er een, overal waar het wordt gebruikt.',
  'POST /api/contact/delete':
    'Verwijdert een contact. Waar het werd gebruikt, geldt daarna het eerstvolgende contact.',
  'POST /api/contact/use':
    'Kiest welk contact een organisatie, een project of een machine heeft, of geen eigen contact.',
  'GET /api/organization/disable':
    'Zet een organisatie uit, of weer aan; met isActive wordt zij wat daar staat. Uitzetten beëindigt haar sessies.',
  'DELETE /api/organization/delete':
    'Verwijdert een organisatie waar niets meer aan vastzit; anders zegt 409 wat dat is.',

  'GET /api/organization/leaving':
    'De organisaties die worden verwijderd, en tot wanneer dat is terug te nemen.',
  'GET /api/organization/leave':
    'Wat het verwijderen van een organisatie (functionele naam) weghaalt, geteld, en vanaf wanneer.',
  'POST /api/organization/leave':
    'Verwijdert een organisatie (functionele naam) met alles wat van haar is: zij gaat meteen uit en haar loggers worden geweigerd; wat van haar is, gaat na de bedenktijd weg, of met isFinal meteen. confirm herhaalt haar nette naam.',
  'POST /api/organization/leave/undo':
    'Neemt het verwijderen van een organisatie (functionele naam) terug, met haar machines, loggers en sleutels, tot het weghalen is begonnen.',
  'GET /api/machine/periods':
    'De tijden waarin een machine of LMB logger van een vorige eigenaar was, met hoeveel metingen daarvan zijn opgeslagen.',
  'POST /api/machine/periods/erase':
    'Wist voorgoed de geschiedenis van één vorige eigenaar van een machine of LMB logger; de urenteller en de geschiedenis van andere eigenaren blijven.',

  'POST /api/organization/code':
    'Geeft een organisatie (functionele naam) een andere code; de vorige werkt meteen niet meer.',
  'POST /api/organization/clean':
    'Geeft een organisatie (functionele naam) een andere nette naam, volgens de regels van een nieuwe; die staat meteen overal.',
  'POST /api/organization/registration':
    'Stelt in hoe mensen zelf bij een organisatie (functionele naam) komen: met de code, met de code na goedkeuring, of alleen op uitnodiging.',

  'GET /api/fleet/figures':
    'Van elke machine wat live data niet zegt: het gemiddelde vermogen van de laatste 30 dagen, draaitijd en verbruik van vandaag, wanneer zij vol is, tot wanneer haar lading genoeg is, haar actieve storingscodes, haar foto, en op welk project zij is.',
  'GET /api/fleet/figures/:serialNumber': 'Hetzelfde van een machine.',
  'GET /api/project/get':
    'De projecten van alle organisaties voor een administrator, van de eigen voor anderen; de nieuwste eerst.',
  'GET /api/project/page':
    'Een project: welke machines er nu zijn, welke er met de hand op staan, en wat elk er per dag deed, van hoogstens 400 dagen.',
  'POST /api/project/create':
    'Maakt een project, waarvan de machines voortaan aan hun posities te herkennen zijn. Een administrator noemt de organisatie.',
  'POST /api/project/edit': 'Wijzigt een project; wat zijn machines deden wordt opnieuw geteld.',
  'POST /api/project/delete':
    'Verwijdert een project: vanaf nu staat er niemand meer op. Rapporten van wat was blijven het noemen.',
  'POST /api/project/assign':
    'Zegt dat een machine van een tijd tot een tijd op een project staat, wat haar posities ook zeggen; `until` null: vanaf dan.',
  'POST /api/project/unassign':
    'Neemt dat terug. Met `preview` wordt niets opgeslagen: het antwoord zegt welke uren zouden verhuizen.',
  'POST /api/project/change-assignment':
    'Wijzigt begin en eind van een toewijzing. `seen`: zoals de aanroeper haar zag; van twee die tegelijk wijzigen krijgt de tweede 409.',
  'POST /api/project/take-off':
    'Haalt een machine vanaf een tijd van een project: toewijzingen eindigen dan, en haar posities tellen vanaf dan niet mee. Daarvoor verandert niets.',
  'POST /api/project/except':
    'Laat de posities van een machine van een tijd tot een tijd niet meetellen voor een project; `until` null: vanaf dan.',
  'POST /api/project/unexcept': 'Verwijdert zo een uitzondering: posities tellen weer mee.',
  'GET /api/terrein/get':
    'De terreinen van alle organisaties voor een administrator, van de eigen voor anderen; op naam.',
  'POST /api/terrein/create':
    'Maakt een terrein: een gebied met een naam dat geen project is. Een administrator noemt de organisatie.',
  'POST /api/terrein/edit':
    'Wijzigt een terrein. Aankomst en vertrek van de laatste 35 dagen worden opnieuw bepaald.',
  'POST /api/terrein/delete':
    'Verwijdert een terrein. Plaatsen daar heten voortaan naar het project of de woonplaats.',

  'GET /api/report/:kind':
    'Een rapport van hoogstens een jaar, zoals het scherm het toont: de eerste 1.000 rijen, de totalen van alle, en wat erbij te weten is.',
  'GET /api/report/:kind/file':
    'Een rapport van hoogstens drie jaar als bestand: CSV, XLSX of JSON, een route ook als GPX, metingen ook als Parquet.',

  'GET /api/report-mail/get': 'Welke rapporten de aanroeper per mail krijgt.',
  'POST /api/report-mail/subscribe':
    'De aanroeper krijgt een rapport per mail: op maandag van de week ervoor, of op de 1e van de maand ervoor, om 06:30 in Amsterdam. Mag herhaald worden.',
  'POST /api/report-mail/unsubscribe': 'Zet zo’n mail van de aanroeper uit.',
  'GET /api/organization/report-files':
    'Of rapporten per mail aan mensen van een organisatie het bestand bij zich hebben.',
  'POST /api/organization/report-files':
    'Beslist dat: met het bestand (XLSX, tot 5 MB) voor wie rapporten mag maken, of alleen een link waarvoor je moet inloggen.',

  'GET /api/push/get':
    'De apparaten waarop de aanroeper meldingen krijgt, en de sleutel waaraan een browser het portaal herkent.',
  'POST /api/push/subscribe':
    'De aanroeper krijgt meldingen op het apparaat dat vraagt, tot het inloggen daar eindigt: wat `PushSubscription.toJSON()` van een browser zegt. Mag herhaald worden.',
  'POST /api/push/unsubscribe': 'Geen meldingen meer op een van de apparaten van de aanroeper.',
  'POST /api/push/test':
    'Stuurt het apparaat dat vraagt een melding, om te zien dat ze aankomt: 10 per kwartier.',

  'GET /api/label/get':
    'De labels van alle organisaties voor een administrator, van de eigen voor anderen, elk met de machines die het dragen; en de eigen favorieten.',
  'POST /api/label/create': 'Maakt een label. Een administrator noemt de organisatie.',
  'POST /api/label/edit': 'Geeft een label een andere naam of kleur; wat wordt weggelaten blijft.',
  'POST /api/label/delete': 'Verwijdert een label, van elke machine die het draagt.',
  'POST /api/label/assign': 'Geeft een machine een label van haar eigen organisatie. Mag herhaald worden.',
  'POST /api/label/unassign': 'Haalt een label van een machine. Mag herhaald worden.',
  'POST /api/favourite/add': 'Maakt een machine een van de eigen favorieten. Mag herhaald worden.',
  'POST /api/favourite/remove': 'Een machine is geen eigen favoriet meer. Mag herhaald worden.',
  'GET /api/report-factor/get':
    'De factoren van alle organisaties voor een administrator, van de eigen voor anderen; per soort en klasse, de nieuwste eerst.',
  'POST /api/report-factor/create':
    'Zegt met hoeveel CO2 per kWh, of diesel per uur, rapporten vanaf een dag rekenen. Een administrator noemt de organisatie.',
  'POST /api/report-factor/edit':
    'Wijzigt een factor: rapporten van de dagen waarover die gaat, veranderen mee.',
  'POST /api/report-factor/delete': 'Verwijdert een factor; een oudere, als die er is, komt in de plaats.',
  'GET /api/charging-tariff/get':
    'De laadtarieven van alle organisaties voor een administrator, van de eigen voor anderen; de nieuwste eerst.',
  'POST /api/charging-tariff/create':
    'Voegt een tarief toe dat vanaf een dag geldt, in euro per kWh zonder btw. Een administrator noemt de organisatie.',
  'POST /api/charging-tariff/edit':
    'Wijzigt een tarief: de kosten van de dagen waarop het geldt, veranderen mee.',
  'POST /api/charging-tariff/delete':
    'Verwijdert een tarief; een ouder tarief zonder einde komt in de plaats.',
  'GET /api/webhook/get': 'De webhooks van een organisatie, op naam.',
  'GET /api/webhook/log':
    'De laatste 100 berichten aan de webhooks van een organisatie, nieuwste eerst; ze blijven 30 dagen.',
  'POST /api/webhook/create': 'Maakt een webhook, en toont zijn geheim, één keer.',
  'POST /api/webhook/edit':
    'Geeft een webhook een andere naam of ander adres; wat nog onderweg is gaat daarheen.',
  'POST /api/webhook/secret':
    'Maakt een ander geheim, en toont het, één keer: met het vorige wordt niets meer ondertekend.',
  'POST /api/webhook/switch': 'Zet een webhook aan of uit; uit wordt niet verstuurd wat nog onderweg was.',
  'POST /api/webhook/delete': 'Verwijdert een webhook, met zijn berichten.',
  'POST /api/webhook/test': 'Stuurt een bericht van de soort `test`; hoogstens 10 in een kwartier.',
  'POST /api/webhook/resend': `Stuurt een bericht nog eens, met dezelfde \`webhook-id\`, en probeert dat weer ${TRIED_FOR_HOURS} uur.`,
  'GET /api/alert/get':
    'De meldingen van machines die iemand ziet, nieuwste eerst: alle die open zijn, of de laatste 200 die dat niet zijn.',
  'POST /api/alert/seen': 'Wie dit vraagt heeft deze meldingen gezien. Mag herhaald worden.',
  'POST /api/alert/take': 'Wie dit vraagt pakt een melding op, of niet meer. Mag herhaald worden.',
  'POST /api/alert/mute': `Wie dit vraagt hoort niets meer van de machine van een melding, of van haar regel: een uur, tot morgen ${DAILY_MAIL_AT} of altijd.`,
  'POST /api/alert/unmute': 'Maakt een eigen demping ongedaan.',
  'GET /api/alert/preferences': 'Hoe iemand meldingen krijgt, en wat die heeft gedempt.',
  'POST /api/alert/preferences': 'Hoe iemand van nu af meldingen krijgt.',
  'GET /api/alert-rule/get':
    'De regels van alle organisaties voor een administrator, van de eigen voor een beheerder, op naam; en de eigen.',
  'POST /api/alert-rule/save':
    'Maakt of wijzigt een regel: van de organisatie wie meldingen beheert (een administrator noemt haar), een eigen iedereen.',
  'POST /api/alert-rule/preview': `Hoe vaak een regel in de laatste ${PREVIEW_DAYS} dagen iets gemeld zou hebben, van de machines die er nu onder vallen. Er wordt niets bewaard.`,
  'POST /api/alert-rule/delete': 'Verwijdert een regel, met haar meldingen.',
  'GET /api/invitation/get':
    'De uitnodigingen die nog niemand aannam, nieuwste eerst: van alle organisaties voor een administrator, van de eigen voor een beheerder.',
  'POST /api/invitation/create': `Mailt een link, ${INVITATION_DAYS} dagen geldig, waarmee iemand een account met die rol krijgt. Een administrator noemt de organisatie. Wie al was uitgenodigd krijgt een nieuwe link; de vorige werken niet meer. Een portaal zonder mailserver (SMTP_URL) geeft de link één keer in het antwoord, om zelf door te geven. Met limit is iemand beperkt tot machines van projecten of labels, of (een kijker) tot vandaag.`,
  'POST /api/invitation/revoke': 'Trekt een uitnodiging in, op haar _id: de link doet niets meer.',
  'POST /api/invitation/look':
    'Bij welke organisatie, als wat en met welk adres de link van een mail uitnodigt, en of men er via een eigen inlogdienst inlogt, of alleen zo.',
  'POST /api/invitation/accept':
    'Maakt het account waartoe de link van een mail uitnodigt, één keer, met een nieuw wachtwoord van 8 tot 128 tekens. Inloggen komt daarna.',

  'GET /api/applicant/get':
    'Wie op toelating wacht, de langste eerst: bij alle organisaties voor een administrator, bij de eigen voor een beheerder.',
  'POST /api/applicant/admit':
    'Laat iemand toe die wacht, op _id: die heeft vanaf dan een account en krijgt een mail. Zonder mailserver geeft het antwoord een link om door te geven.',
  'POST /api/applicant/refuse':
    'Weigert iemand die wacht, op _id: die krijgt een mail en kan het met de code niet opnieuw vragen, wel worden uitgenodigd.',

  'GET /api/user/get':
    'Alle gebruikers voor een administrator, die van de eigen organisatie voor een beheerder; op volgorde van hun e-mailadres.',
  'DELETE /api/user/delete':
    'Verwijdert een gebruiker en beëindigt zijn sessies. De laatste administrator blijft, en de laatste beheerder van een organisatie met anderen ook. Met de code van de organisatie komt hij alleen terug als mayReturn dat zegt, op uitnodiging altijd.',
  'POST /api/user/organization':
    'Verplaatst een gebruiker naar een andere organisatie (haar functionele naam), ook naar admin; daar wordt hij gebruiker of technicus. Beëindigt zijn sessies.',
  'POST /api/user/role':
    'Geeft een gebruiker een andere rol in zijn organisatie en beëindigt zijn sessies. De laatste administrator blijft, en de laatste beheerder van een organisatie met anderen ook.',

  'POST /api/user/limit':
    'Beperkt een gebruiker of kijker tot machines van projecten of labels, en een kijker tot vandaag; null haalt de beperking weg. Beëindigt zijn sessies.',

  'POST /api/account/name': 'Hoe je heet, in plaats van je e-mailadres; leeg: zoals je e-mailadres.',
  'GET /api/account/sessions':
    'Waar je bent ingelogd: de sessie die vraagt, en de 50 die het laatst zijn gebruikt; total telt ze allemaal.',
  'POST /api/account/sessions/end': 'Beëindigt een van je sessies.',
  'POST /api/account/sessions/end-others': 'Beëindigt al je sessies behalve deze.',
  'GET /api/account/subscriptions': 'De machines waarover je mails over het laden krijgt.',
  'GET /api/account/data': 'Alles wat over jou wordt bewaard, als bestand.',
  'POST /api/account/proof/options':
    'Waarmee je kunt bevestigen dat jij het bent; wat een browser nodig heeft voor een passkey van je is vijf minuten geldig.',
  'POST /api/account/proof':
    'Bevestigt met een van de drie (je wachtwoord, een code van je authenticator-app of een herstelcode, een passkey) dat jij het bent: tien minuten lang mag wat niet ongedaan kan worden gemaakt. De sessie krijgt een nieuw token.',
  'DELETE /api/account':
    'Verwijdert je account. De laatste administrator blijft, en de laatste beheerder van een organisatie met anderen ook.',

  'GET /api/map/layers': 'De bronvermelding van de kaartlagen, en of hun kaartdienst bereikbaar is.',
  'GET /api/health': '200 als het portaal echt kan werken, met wat aandacht vraagt, anders 503.',
  'GET /metrics':
    'Cijfers voor Prometheus (tekstformaat 0.0.4): voor een administrator, of met het token METRICS_TOKEN.',
  'GET /api/portal/tasks':
    'Wat administrators aan het portaal zelf moeten instellen, en of een proxy uploads laat weigeren met een andere Host.',
  'GET /api/background-tasks':
    'Lang werk dat op de server bezig is, zoals het vullen van de historie van de demo; meestal niets.',
  'GET /api/openapi.json':
    'Deze beschrijving als OpenAPI 3.1, gemaakt van het contract waaraan de server elke aanvraag toetst.',
  'GET /api/docs': 'Deze pagina.',
};

/** Returns the Dutch summary of a call; undefined if it has none yet. */
export const dutchSummary = (key: string): string | undefined => DUTCH[key.replace(/\/$/, '')];
