/** A line that decides by a scope, or by who owns something. */
export const USES_OF_A_SCOPE =
  /\bcovers\(|\bscope\.organizations\b|\{ organizations \}|organization_id = any|\bid = any \(\$1\)\)|actions\.has\(|ADMIN_ORGANIZATION\b|\bsegmentsOf\(|join ownership\b/;

/**
 * Lines that decide nothing themselves: the rule is in the query or the call that they pass the scope on to, or they
 * are of a call for administrators, whose gate is proved by the table of principals. By file.
 */
export const PASSED_ON: Readonly<Record<string, readonly string[]>> = {
  'src/shared/domain/access.ts': ["export const ADMIN_ORGANIZATION = 'admin';"],
  'src/server/auth/first-start.ts': [
    "[ADMIN_ORGANIZATION, 'Beheer', randomBytes(16).toString('hex')],",
    '[ADMIN_ORGANIZATION],',
    '[email, await hashPassword(password), ADMIN_ORGANIZATION],',
  ],
  'src/server/auth/registration.ts': ['[code, ADMIN_ORGANIZATION],'],
  'src/server/users/users.store.ts': [
    'if (organization !== ADMIN_ORGANIZATION) return;',
    '[ADMIN_ORGANIZATION],',
  ],
  'src/server/organizations/organizations.store.ts': ['{ organizations }: Scope,'],
  'src/server/machines/machine-list.ts': [
    "const organizationsOf = ({ organizations }: Scope) => (organizations === 'all' ? null : organizations);",
    "[organizationsOf(scope), asSerial(serial), scope.actions.has('manage-machines')],",
    'await machinesNamed(db, named, scope.organizations);',
  ],
  'src/server/machines/restore-machine.ts': [
    "join ownership r on r.stream_id = s.id and r.valid_to = 'infinity'",
  ],
  'src/server/machine-files/machine-files.store.ts': [
    "const seen = ({ organizations }: Scope) => (organizations === 'all' ? null : organizations);",
  ],
  'src/server/lmb-loggers/create-lmb-logger.ts': [
    "select from stream s join ownership w on w.stream_id = s.id and w.valid_to = 'infinity'",
  ],
  'src/server/lmb-loggers/lmb-loggers.store.ts': [
    "const organizationsOf = ({ organizations }: Scope) => (organizations === 'all' ? null : organizations);",
  ],
  'src/server/subscriptions/subscriptions.store.ts': [
    "[asSerial(serial), scope.organizations === 'all' ? null : scope.organizations],",
  ],
  'src/server/history/history-scope.ts': [
    'from stream s join ownership w on w.stream_id = s.id',
    "[asSerial(serial), wanted, scope.organizations === 'all' ? null : scope.organizations],",
  ],
  'src/server/history/range.ts': [
    'export function segmentsOf(range: Range, own: readonly Range[]): Segment[] {',
  ],
};
