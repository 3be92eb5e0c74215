import { expect, test } from 'vitest';
import { eventText } from './events-panel.tsx';

test.each([
  ['bound', '0001234', 'Logger 0001234 gekoppeld'],
  ['key-made', 'WSABC', 'Sleutel gemaakt: WSABC'],
  ['config-made', '', 'Configuratie gemaakt'],
  ['config-running', '', 'Configuratie van het portaal actief'],
  ['config-another', 'eigen', 'Andere configuratie actief: eigen'],
  ['heard', '', 'Eerste upload'],
  ['heard', '3600', 'Weer gehoord na 1 uur stilte'],
  ['error', 'Status.json is onleesbaar.', 'Fout: Status.json is onleesbaar.'],
  [
    'refused',
    'AccessDenied',
    'Geweigerd: de sleutel hoort niet bij de map waarin de logger schrijft. Zet de nieuwste configuratie van het portaal op de logger.',
  ],
  ['frozen-clock', '', 'De GPS-klok stond stil'],
  ['log-file', 'rit.log: 1 meting', 'Logbestand: rit.log: 1 meting'],
  ['unread-file', 'last.json', 'Bestand ontvangen dat het portaal niet leest: last.json'],
  ['restored', 'M-1', 'Met M-1 teruggezet'],
] as const)('an event of the logger is described in Dutch: %s %j (12.C6)', (kind, detail, text) => {
  expect(eventText({ kind, detail })).toBe(text);
});
