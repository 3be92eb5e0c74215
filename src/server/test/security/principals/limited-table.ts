/**
 * The statuses that two limited persons must get, beside the table of the others (table.ts): `limited` is a gebruiker of the organization of
 * `user` who sees the machines on one project, `today` a kijker there who sees the present day only. The machine that is asked for is on
 * that project. A call without a row here answers 403 to both, or the status without a session if that is not 401. Written by hand.
 */
const TABLE = `
                                                     limited today

# Signing in
POST /api/auth/login (with their own password)       200     200
POST /api/auth/login (as a user, guessing)           401     401
POST /api/auth/login/code (without a password)       401     401
POST /api/auth/passkey/login (of nobody)             401     401
POST /api/auth/register (their organization's code)  200     200
POST /api/auth/confirm-address/send                  200     200
POST /api/account/password (guessing)                400     400

# Their own second factor
GET /api/account/factors                             200     200
POST /api/account/factors/totp                       200     200
POST /api/account/factors/totp/confirm (unasked)     400     400
POST /api/account/factors/passkey                    200     200
POST /api/account/factors/passkey/confirm (unasked)  400     400
POST /api/account/factors/rename (of another)        404     404
DELETE /api/account/factors (of another)             404     404
POST /api/account/factors/recovery-codes (none)      409     409

# Signing in by an organization's own provider
GET /api/account/oidc                                200     200
POST /api/account/oidc/link                          502     502
POST /api/account/oidc/unlink                        200     200

# One's own account
POST /api/account/name                               200     200
GET /api/account/sessions                            200     200
POST /api/account/sessions/end (somebody else's)     404     404
POST /api/account/sessions/end-others                200     200
GET /api/account/subscriptions                       200     200
GET /api/account/data                                200     200
POST /api/account/proof/options                      200     200
POST /api/account/proof (their own password)         200     200
POST /api/account/proof (guessing)                   400     400
DELETE /api/account                                  200     200

# Live data and history
GET /api/live                                        200     200
GET /api/influx/gps/:serialNumber                    200     200
GET /api/influx/gps/:serialNumber (every point)      200     200
GET /api/influx/workpower/:serialNumber              200     200
GET /api/influx/powerback/:id                        200     200
GET /api/influx/powerback/:id (an LMB logger)        404     404
GET /api/influx/day/:serialNumber                    200     200
GET /api/influx/transports/:serialNumber             200     200
GET /api/influx/speeds/:serialNumber                 200     200
GET /api/influx/sessions/:serialNumber               200     200
GET /api/influx/sessions/:serialNumber/curve         200     200
GET /api/influx/capacity/:serialNumber               200     403
GET /api/influx/forecast/:serialNumber               200     403
GET /api/influx/days/:serialNumber                   200     200
GET /api/influx/unused-levels/:serialNumber          200     200
GET /api/influx/signals/:id                          200     200
GET /api/influx/signals/:id (an LMB logger)          404     404
GET /api/influx/signals/:id/values                   200     200
GET /api/influx/signals/:id/values (an LMB logger)   404     404

# Machines
GET /api/machine/get                                 200     200
GET /api/machine/get (by brand and name)             200     200
GET /api/machine/get/serial                          200     200
GET /api/machine/get/all                             200     200

# Their photo and manual
GET /api/machine/files/:serial                       200     200
GET /api/img/:serial                                 200     200
GET /api/img/:serial/:hash                           200     200
GET /api/manual/:serial                              200     200
GET /api/manual/:serial/:hash                        200     200

# Projects
GET /api/report/:kind                                200     403
GET /api/report/:kind (of a machine)                 200     403
GET /api/report/:kind/file                           200     403
GET /api/report/:kind/file (of a machine)            200     403
GET /api/fleet/figures                               200     200
GET /api/fleet/figures/:serialNumber                 200     200
GET /api/project/get                                 200     200
GET /api/project/page                                404     200

# Work weeks and contacts
GET /api/workweek/night                              200     200
GET /api/contact/nearest                             200     200

# Alerts
GET /api/alert/get                                   200     200
POST /api/alert/seen                                 200     200
POST /api/alert/take                                 200     200
POST /api/alert/take (of another)                    404     404
POST /api/alert/mute                                 200     200
POST /api/alert/mute (of another)                    404     404
POST /api/alert/unmute (of another)                  404     404
GET /api/alert/preferences                           200     200
POST /api/alert/preferences                          200     200

# Labels and favourites
GET /api/label/get                                   200     200
GET /api/fault/get                                   200     200
POST /api/favourite/add                              200     200
POST /api/favourite/remove                           200     200

# Reports by mail
GET /api/report-mail/get                             200     200
POST /api/report-mail/subscribe                      200     403
POST /api/report-mail/subscribe (of a project)       404     403
POST /api/report-mail/unsubscribe (of another)       404     404

# Notifications on a device
GET /api/push/get                                    200     200
POST /api/push/subscribe (on this machine itself)    400     400
POST /api/push/unsubscribe (of another)              404     404
POST /api/push/test (without a device)               404     404

# Mails about charging
GET /api/mail/subscription-status                    200     200
POST /api/mail/subscribe                             200     200
POST /api/mail/unsubscribe                           200     200

# The portal itself
GET /api/map/layers                                  200     200
GET /api/background-tasks                            200     200

# Not in the contract
GET /tiles/status                                    200     200
GET /tiles/:layer/:z/:x/:y                           200     200
`;

export const LIMITED_PEOPLE = ['limited', 'today'] as const;
type Statuses = Readonly<Record<(typeof LIMITED_PEOPLE)[number], number>>;

const ROWS = new Map(
  TABLE.split('\n').flatMap((line) => {
    const [, name = '', limited, today] =
      /^(\S.*?) {2,}(\d{3}) {5}(\d{3})$/.exec(line.replace(/^#.*/, '')) ?? [];
    return name === '' ? [] : [[name, { limited: Number(limited), today: Number(today) }] as const];
  }),
);
/** Names that have a row here. */
export const LIMITED_ROWS: readonly string[] = [...ROWS.keys()];

/** Returns the statuses of the two for a row of the table. @param unsigned the status without a session */
export function limitedStatuses(name: string, unsigned: number): Statuses {
  const usual = unsigned === 401 ? 403 : unsigned;
  return ROWS.get(name) ?? { limited: usual, today: usual };
}
