import { LIMITED_PEOPLE, limitedStatuses } from './limited-table.ts';

/**
 * Permissions: every call of the portal x every kind of person, and the status that each must get (API-02; OWASP ASVS 5.0 V8.2.1,
 * V8.2.2, V8.4.1). Written by hand from docs/requirements.md, not derived from the contract, so that it checks the contract;
 * principals.pg.test.ts makes the calls.
 *
 * The requested things belong to the organization of `user` (machines) or of `logger-user` (LMB loggers), both of the role gebruiker;
 * `viewer` and `manager` are colleagues of `user`, kijker and beheerder, and `technician` is one of `admin`. `other` and
 * `other-logger-user` are of other organizations, of the same two kinds; the beheerder of `other` keeps the routes. `disabled`: the
 * organization was disabled, `deleted`: the account was deleted, both with a session that was in use a moment before. `another-site`: the
 * administrator's browser on a page of another site. limited-table.ts has the two limited persons.
 */
const TABLE = `
                                                     nobody user viewer manager logger-user admin technician other other-logger-user disabled deleted another-site

# Signing in
GET /api/auth/validate-token                         200    200  200    200     200         200   200        200   200               200      200     200
POST /api/auth/login (with their own password)       401    200  200    200     200         200   200        200   200               403      401     403
POST /api/auth/login (as a user, guessing)           401    401  401    401     401         401   401        401   401               401      401     403
POST /api/auth/register (their organization's code)  400    200  200    200     200         400   400        200   200               400      200     403
POST /api/auth/forgot-password                       200    200  200    200     200         200   200        200   200               200      200     403
POST /api/auth/reset-password-with-code (guessing)   400    400  400    400     400         400   400        400   400               400      400     403
POST /api/auth/confirm-address/send                  401    200  200    200     200         200   200        200   200               401      401     403
POST /api/auth/confirm-address (not sealed by us)    400    400  400    400     400         400   400        400   400               400      400     403
POST /api/auth/reset-link (guessing)                 400    400  400    400     400         400   400        400   400               400      400     403
POST /api/auth/reset-password-with-link (guessing)   400    400  400    400     400         400   400        400   400               400      400     403
POST /api/account/password (guessing)                401    400  400    400     400         400   400        400   400               401      401     403
POST /api/auth/logout                                200    200  200    200     200         200   200        200   200               200      200     403
POST /api/auth/login/code (without a password)       401    401  401    401     401         401   401        401   401               401      401     403
POST /api/auth/passkey/options                       200    200  200    200     200         200   200        200   200               200      200     403
POST /api/auth/passkey/login (of nobody)             401    401  401    401     401         401   401        401   401               401      401     403

# Their own second factor
GET /api/account/factors                             401    200  200    200     200         200   200        200   200               401      401     200
POST /api/account/factors/totp                       401    200  200    200     200         200   200        200   200               401      401     403
POST /api/account/factors/totp/confirm (unasked)     401    400  400    400     400         400   400        400   400               401      401     403
POST /api/account/factors/passkey                    401    200  200    200     200         200   200        200   200               401      401     403
POST /api/account/factors/passkey/confirm (unasked)  401    400  400    400     400         400   400        400   400               401      401     403
POST /api/account/factors/rename (of another)        401    404  404    404     404         404   404        404   404               401      401     403
DELETE /api/account/factors (of another)             401    404  404    404     404         404   404        404   404               401      401     403
POST /api/account/factors/recovery-codes (none)      401    409  409    409     409         409   409        409   409               401      401     403

# Signing in by an organization's own provider
GET /api/auth/oidc                                   200    200  200    200     200         200   200        200   200               200      200     200
POST /api/auth/oidc/start                            502    502  502    502     502         502   502        502   502               502      502     403
POST /api/auth/oidc/start (of no organization)       404    404  404    404     404         404   404        404   404               404      404     403
GET /api/auth/oidc/callback/:organization            303    303  303    303     303         303   303        303   303               303      303     303
POST /api/auth/oidc/confirm (guessing)               409    409  409    409     409         409   409        409   409               409      409     403
POST /api/auth/oidc/invitation (with a mailed link)  404    404  404    404     404         404   404        404   404               404      404     403
POST /api/auth/oidc/invitation (with none of ours)   404    404  404    404     404         404   404        404   404               404      404     403
GET /api/account/oidc                                401    200  200    200     200         200   200        200   200               401      401     200
POST /api/account/oidc/link                          401    502  502    502     502         502   502        502   502               401      401     403
POST /api/account/oidc/unlink                        401    200  200    200     200         200   200        200   200               401      401     403
GET /api/organization/oidc                           401    403  403    200     403         200   403        403   403               401      401     200
GET /api/organization/oidc (of another)              401    403  403    404     403         200   403        403   403               401      401     200
POST /api/organization/oidc                          401    403  403    403     403         400   403        403   403               401      401     403
POST /api/organization/oidc/delete                   401    403  403    403     403         200   403        403   403               401      401     403
POST /api/organization/oidc/only                     401    403  403    200     403         200   403        403   403               401      401     403
POST /api/organization/oidc/only (of another)        401    403  403    404     403         200   403        403   403               401      401     403

# Organizations and users
GET /api/organization/get                            401    200  200    200     200         200   200        200   200               401      401     200
GET /api/organization/get/electric                   401    200  200    200     200         200   200        200   200               401      401     200
GET /api/organization/get/berende                    401    200  200    200     200         200   200        200   200               401      401     200
GET /api/organization/create                         401    403  403    403     403         200   403        403   403               401      401     403
GET /api/organization/privacy                        401    403  403    200     403         200   403        403   403               401      401     200
POST /api/organization/privacy                       401    403  403    200     403         200   403        403   403               401      401     403
GET /api/workweek/get                                401    403  403    200     403         200   403        403   403               401      401     200
GET /api/workweek/get (of another)                   401    403  403    404     403         200   403        403   403               401      401     200
POST /api/workweek/set                               401    403  403    200     403         200   403        403   403               401      401     403
POST /api/workweek/set (of another)                  401    403  403    404     403         200   403        403   403               401      401     403
GET /api/workweek/night                              401    200  200    200     403         200   200        200   403               401      401     200
GET /api/workweek/own                                401    403  403    200     403         200   403        403   403               401      401     200
GET /api/workweek/own (of another)                   401    403  403    404     403         200   403        403   403               401      401     200
GET /api/workweek/own/get                            401    403  403    200     403         200   403        403   403               401      401     200
GET /api/workweek/own/get (of another)               401    403  403    404     403         404   403        403   403               401      401     404
POST /api/workweek/own/set                           401    403  403    200     403         200   403        403   403               401      401     403
POST /api/workweek/own/set (of another)              401    403  403    404     403         404   403        403   403               401      401     403
POST /api/workweek/own/delete                        401    403  403    200     403         200   403        403   403               401      401     403
POST /api/workweek/own/delete (of another)           401    403  403    404     403         404   403        403   403               401      401     403
GET /api/contact/get                                 401    403  403    200     403         200   403        403   403               401      401     200
GET /api/contact/get (of another)                    401    403  403    404     403         200   403        403   403               401      401     200
GET /api/contact/nearest                             401    200  200    200     403         200   200        404   403               401      401     200
POST /api/contact/save                               401    403  403    200     403         200   403        403   403               401      401     403
POST /api/contact/save (of another)                  401    403  403    404     403         200   403        403   403               401      401     403
POST /api/contact/delete                             401    403  403    200     403         200   403        403   403               401      401     403
POST /api/contact/delete (of another)                401    403  403    404     403         404   403        403   403               401      401     403
POST /api/contact/use                                401    403  403    200     403         200   403        403   403               401      401     403
POST /api/contact/use (of another)                   401    403  403    404     403         404   403        403   403               401      401     403
GET /api/organization/disable/                       401    403  403    403     403         200   403        403   403               401      401     403
DELETE /api/organization/delete/                     401    403  403    403     403         200   403        403   403               401      401     403
GET /api/organization/leaving                        401    403  403    403     403         200   403        403   403               401      401     200
GET /api/organization/leave                          401    403  403    403     403         200   403        403   403               401      401     200
POST /api/organization/leave                         401    403  403    403     403         200   403        403   403               401      401     403
POST /api/organization/leave/undo                    401    403  403    403     403         200   403        403   403               401      401     403
GET /api/user/get                                    401    403  403    200     403         200   403        403   403               401      401     200
POST /api/user/organization                          401    403  403    403     403         200   403        403   403               401      401     403
POST /api/user/organization (themselves, to admin)   401    403  403    403     403         200   403        403   403               401      401     403
POST /api/user/role                                  401    403  403    200     403         200   403        403   403               401      401     403
POST /api/user/role (of another organization)        401    403  403    404     403         200   403        403   403               401      401     403
POST /api/user/role (themselves, to administrator)   401    403  403    400     403         200   403        403   403               401      401     403
DELETE /api/user/delete                              401    403  403    404     403         200   403        403   403               401      401     403
POST /api/user/reset-factor                          401    403  403    200     403         200   403        403   403               401      401     403
POST /api/user/reset-factor (of another)             401    403  403    404     403         200   403        403   403               401      401     403
POST /api/user/reset-factor (of an equal)            401    403  403    403     403         403   403        403   403               401      401     403
POST /api/user/limit                                 401    403  403    200     403         200   403        403   403               401      401     403
POST /api/user/limit (of another)                    401    403  403    404     403         200   403        403   403               401      401     403
POST /api/user/limit (of a beheerder)                401    403  403    400     403         400   403        403   403               401      401     403
POST /api/user/link                                  401    403  403    200     403         200   403        403   403               401      401     403
POST /api/user/link (of another)                     401    403  403    404     403         200   403        403   403               401      401     403
POST /api/user/link (of an equal)                    401    403  403    403     403         403   403        403   403               401      401     403
GET /api/organization/second-factor                  401    403  403    200     403         200   403        403   403               401      401     200
GET /api/organization/second-factor (of another)     401    403  403    404     403         200   403        403   403               401      401     200
POST /api/organization/second-factor                 401    403  403    200     403         200   403        403   403               401      401     403
POST /api/organization/second-factor (of another)    401    403  403    404     403         200   403        403   403               401      401     403
POST /api/organization/code                          401    403  403    404     403         200   403        403   403               401      401     403
POST /api/organization/code (of their own)           401    403  403    200     403         409   403        403   403               401      401     403
POST /api/organization/clean                         401    403  403    404     403         200   403        403   403               401      401     403
POST /api/organization/clean (of their own)          401    403  403    200     403         409   403        403   403               401      401     403
POST /api/organization/registration                  401    403  403    404     403         200   403        403   403               401      401     403
POST /api/organization/registration (of their own)   401    403  403    200     403         409   403        403   403               401      401     403

# Getting people in
GET /api/invitation/get                              401    403  403    200     403         200   403        403   403               401      401     200
POST /api/invitation/create                          401    403  403    200     403         200   403        403   403               401      401     403
POST /api/invitation/create (an administrator)       401    403  403    400     403         200   403        403   403               401      401     403
POST /api/invitation/revoke                          401    403  403    404     403         200   403        403   403               401      401     403
POST /api/invitation/revoke (of their own)           401    403  403    200     403         200   403        403   403               401      401     403
POST /api/invitation/look (with a mailed link)       200    200  200    200     200         200   200        200   200               200      200     403
POST /api/invitation/look (with none of ours)        404    404  404    404     404         404   404        404   404               404      404     403
POST /api/invitation/accept (with none of ours)      404    404  404    404     404         404   404        404   404               404      404     403
GET /api/applicant/get                               401    403  403    200     403         200   403        403   403               401      401     200
POST /api/applicant/admit                            401    403  403    404     403         200   403        403   403               401      401     403
POST /api/applicant/admit (to their own)             401    403  403    200     403         200   403        403   403               401      401     403
POST /api/applicant/refuse                           401    403  403    404     403         200   403        403   403               401      401     403
POST /api/applicant/refuse (to their own)            401    403  403    200     403         200   403        403   403               401      401     403

# One's own account
POST /api/account/name                               401    200  200    200     200         200   200        200   200               401      401     403
GET /api/account/sessions                            401    200  200    200     200         200   200        200   200               401      401     200
POST /api/account/sessions/end (somebody else's)     401    404  404    404     404         404   404        404   404               401      401     403
POST /api/account/sessions/end-others                401    200  200    200     200         200   200        200   200               401      401     403
GET /api/account/subscriptions                       401    200  200    200     200         200   200        200   200               401      401     200
GET /api/account/data                                401    200  200    200     200         200   200        200   200               401      401     200
POST /api/account/proof/options                      401    200  200    200     200         200   200        200   200               401      401     403
POST /api/account/proof (their own password)         401    200  200    200     200         200   200        200   200               401      401     403
POST /api/account/proof (guessing)                   401    400  400    400     400         400   400        400   400               401      401     403
DELETE /api/account                                  401    200  200    200     200         200   200        200   200               401      401     403

# The log
GET /api/log                                         401    403  403    200     403         200   403        403   403               401      401     200
GET /api/log/csv                                     401    403  403    200     403         200   403        403   403               401      401     200

# Live data and history
GET /api/live                                        401    200  200    200     200         200   200        200   200               401      401     200
GET /api/influx/gps/:serialNumber                    401    200  200    200     404         200   200        403   404               401      401     200
GET /api/influx/gps/:serialNumber (every point)      401    200  200    200     404         200   200        403   404               401      401     200
GET /api/influx/driverhours/:serialNumber            401    200  200    200     404         200   200        404   404               401      401     200
GET /api/influx/workpower/:serialNumber              401    200  200    200     404         200   200        404   404               401      401     200
GET /api/influx/powerback/:id                        401    200  200    200     404         200   200        404   404               401      401     200
GET /api/influx/powerback/:id (an LMB logger)        401    404  404    404     200         200   200        404   404               401      401     200
GET /api/influx/day/:serialNumber                    401    200  200    200     404         200   200        404   404               401      401     200
GET /api/influx/speeds/:serialNumber                 401    200  200    200     404         200   200        403   404               401      401     200
GET /api/influx/transports/:serialNumber             401    200  200    200     404         200   200        404   404               401      401     200
GET /api/influx/sessions/:serialNumber               401    200  200    200     404         200   200        404   404               401      401     200
GET /api/influx/sessions/:serialNumber/curve         401    200  200    200     404         200   200        404   404               401      401     200
GET /api/influx/capacity/:serialNumber               401    200  200    200     404         200   200        404   404               401      401     200
GET /api/influx/forecast/:serialNumber               401    200  200    200     404         200   200        404   404               401      401     200
GET /api/influx/days/:serialNumber                   401    200  200    200     404         200   200        404   404               401      401     200
GET /api/influx/unused-levels/:serialNumber          401    200  200    200     404         200   200        404   404               401      401     200
GET /api/influx/signals/:id                          401    200  200    200     404         200   200        404   404               401      401     200
GET /api/influx/signals/:id (an LMB logger)          401    404  404    404     200         200   200        404   404               401      401     200
GET /api/influx/signals/:id/values                   401    200  200    200     404         200   200        404   404               401      401     200
GET /api/influx/signals/:id/values (an LMB logger)   401    404  404    404     200         200   200        404   404               401      401     200

# Machines
GET /api/machine/get                                 401    200  200    200     403         200   200        404   403               401      401     200
GET /api/machine/get (by brand and name)             401    200  200    200     403         200   200        404   403               401      401     200
GET /api/machine/get/serial                          401    200  200    200     403         200   200        404   403               401      401     200
GET /api/machine/get/all                             401    200  200    200     403         200   200        200   403               401      401     200
GET /api/machine/get/deleted                         401    403  403    403     403         200   200        403   403               401      401     200
GET /api/machine/create                              401    403  403    403     403         200   200        403   403               401      401     403
GET /api/machine/edit                                401    403  403    403     403         200   200        403   403               401      401     403
POST /api/machine/create                             401    403  403    403     403         200   200        403   403               401      401     403
POST /api/machine/edit                               401    403  403    403     403         200   200        403   403               401      401     403
GET /api/machine/sale/:serial                        401    403  403    403     403         200   200        403   403               401      401     200
DELETE /api/machine/delete                           401    403  403    403     403         200   200        403   403               401      401     403
GET /api/machine/periods                             401    403  403    403     403         200   403        403   403               401      401     200
POST /api/machine/periods/erase                      401    403  403    403     403         200   403        403   403               401      401     403
POST /api/machine/restore                            401    403  403    403     403         200   200        403   403               401      401     403

# Their photo and manual
GET /api/machine/files/:serial                       401    200  200    200     403         200   200        404   403               401      401     200
GET /api/img/:serial                                 401    200  200    200     403         200   200        404   403               401      401     200
GET /api/img/:serial/:hash                           401    200  200    200     403         200   200        404   403               401      401     200
GET /api/manual/:serial                              401    200  200    200     403         200   200        404   403               401      401     200
GET /api/manual/:serial/:hash                        401    200  200    200     403         200   200        404   403               401      401     200
POST /api/img/upload                                 401    403  403    403     403         200   200        403   403               401      401     403
POST /api/manual/upload                              401    403  403    403     403         200   200        403   403               401      401     403
POST /api/img/delete                                 401    403  403    403     403         200   200        403   403               401      401     403
POST /api/manual/delete                              401    403  403    403     403         200   200        403   403               401      401     403

# The logger of a machine, its definition and its configuration
GET /api/machine/writer/create                       401    403  403    403     403         200   200        403   403               401      401     403
POST /api/machine/writer/key                         401    403  403    403     403         200   200        403   403               401      401     403
POST /api/machine/writer/key (withdrawing the old)   401    403  403    403     403         200   200        403   403               401      401     403
POST /api/machine/writer/take-over                   401    403  403    403     403         200   200        403   403               401      401     403
POST /api/machine/writer/network                     401    403  403    403     403         200   200        403   403               401      401     403
GET /api/machine/writer/health/:serial               401    403  403    403     403         200   200        403   403               401      401     200
GET /api/machine/writer/unknown                      401    403  403    403     403         200   200        403   403               401      401     200
GET /api/machine/writer/keys-to-replace              401    403  403    403     403         200   200        403   403               401      401     200
GET /api/machine/writer/old-addresses                401    403  403    403     403         200   200        403   403               401      401     200
GET /api/machine/dbc/:serial                         401    403  403    403     403         200   200        403   403               401      401     200
GET /api/machine/dbc/:serial/versions                401    403  403    403     403         200   200        403   403               401      401     200
GET /api/machine/dbc/:serial/sources                 401    403  403    403     403         200   200        403   403               401      401     200
GET /api/machine/dbc/:serial/reference               401    403  403    403     403         200   200        403   403               401      401     200
GET /api/machine/dbc/:serial/redecode                401    403  403    403     403         200   200        403   403               401      401     200
POST /api/machine/dbc/upload                         401    403  403    403     403         200   200        403   403               401      401     403
POST /api/machine/dbc/mapping                        401    403  403    403     403         200   200        403   403               401      401     403
POST /api/machine/dbc/j1939                          401    403  403    403     403         200   200        403   403               401      401     403
POST /api/machine/dbc/redecode                       401    403  403    403     403         200   200        403   403               401      401     403
POST /api/machine/dbc/restore                        401    403  403    403     403         200   200        403   403               401      401     403
GET /api/machine/empty-logs                          401    403  403    403     403         200   200        403   403               401      401     200
GET /api/machine/closed-week/:serial                 401    403  403    403     403         200   403        403   403               401      401     200
GET /api/machine/closed-week/:serial/:monday (open)  401    403  403    403     403         404   403        403   403               401      401     404
GET /api/machine/log-file/:serial                    401    403  403    403     403         200   200        403   403               401      401     200
GET /api/machine/log-file/:serial/:id                401    403  403    403     403         200   200        403   403               401      401     200
POST /api/machine/log-file/decode                    401    403  403    403     403         200   200        403   403               401      401     403
POST /api/machine/log-file/upload (no log)           401    403  403    403     403         400   400        403   403               401      401     403
GET /api/machine/config/create                       401    403  403    403     403         200   200        403   403               401      401     403
GET /api/machine/config/download                     401    403  403    403     403         200   200        403   403               401      401     403
POST /api/machine/dbc/delete                         401    403  403    403     403         200   200        403   403               401      401     403
POST /api/machine/writer/release                     401    403  403    403     403         200   200        403   403               401      401     403
POST /api/machine/writer/move                        401    403  403    403     403         200   200        403   403               401      401     403
POST /api/machine/writer/replace                     401    403  403    403     403         200   200        403   403               401      401     403
POST /api/machine/writer/take-back                   401    403  403    403     403         200   200        403   403               401      401     403
POST /api/machine/sell                               401    403  403    403     403         200   200        403   403               401      401     403
GET /api/machine/erasure/:serial                     401    403  403    403     403         200   403        403   403               401      401     200
GET /api/machine/erasure/:serial/preview             401    403  403    403     403         200   403        403   403               401      401     200
POST /api/machine/erasure/create                     401    403  403    403     403         200   403        403   403               401      401     403
POST /api/machine/erasure/undo                       401    403  403    403     403         404   403        403   403               401      401     403

# LMB loggers
GET /api/berend/get                                  401    403  403    403     200         200   200        403   200               401      401     200
GET /api/berend/get/one                              401    403  403    403     200         200   200        403   404               401      401     200
GET /api/berend/get/one (by name)                    401    403  403    403     200         200   200        403   404               401      401     200
GET /api/berend/get/data                             401    403  403    403     200         200   200        403   404               401      401     200
GET /api/berend/get/deleted                          401    403  403    403     403         200   200        403   403               401      401     200
GET /api/berend/new                                  401    403  403    403     403         200   200        403   403               401      401     403
POST /api/berend/restore                             401    403  403    403     403         200   200        403   403               401      401     403
DELETE /api/berend/delete                            401    403  403    403     403         200   200        403   403               401      401     403

# Projects
GET /api/report/:kind                                401    200  200    200     403         200   200        200   403               401      401     200
GET /api/report/:kind (of a machine)                 401    200  200    200     403         200   200        404   403               401      401     200
GET /api/report/:kind/file                           401    200  403    200     403         200   200        200   403               401      401     200
GET /api/report/:kind/file (of a machine)            401    200  403    200     403         200   200        404   403               401      401     200
GET /api/fleet/figures                               401    200  200    200     403         200   200        200   403               401      401     200
GET /api/fleet/figures/:serialNumber                 401    200  200    200     403         200   200        404   403               401      401     200
GET /api/project/get                                 401    200  200    200     403         200   200        200   403               401      401     200
GET /api/project/page                                401    200  200    200     403         200   200        404   403               401      401     200
POST /api/project/create                             401    403  403    200     403         200   403        403   403               401      401     403
POST /api/project/edit                               401    403  403    200     403         200   403        403   403               401      401     403
POST /api/project/edit (of another)                  401    403  403    404     403         200   403        403   403               401      401     403
POST /api/project/delete                             401    403  403    200     403         200   403        403   403               401      401     403
POST /api/project/delete (of another)                401    403  403    404     403         200   403        403   403               401      401     403
POST /api/project/assign                             401    403  403    200     403         200   403        403   403               401      401     403
POST /api/project/assign (to another's)              401    403  403    404     403         404   403        403   403               401      401     403
POST /api/project/unassign                           401    403  403    200     403         200   403        403   403               401      401     403
POST /api/project/unassign (of another)              401    403  403    404     403         200   403        403   403               401      401     403
POST /api/project/change-assignment                  401    403  403    200     403         200   403        403   403               401      401     403
POST /api/project/change-assignment (of another)     401    403  403    404     403         200   403        403   403               401      401     403
POST /api/project/take-off                           401    403  403    200     403         200   403        403   403               401      401     403
POST /api/project/take-off (of another's)            401    403  403    404     403         404   403        403   403               401      401     403
POST /api/project/except                             401    403  403    200     403         200   403        403   403               401      401     403
POST /api/project/except (of another's)              401    403  403    404     403         404   403        403   403               401      401     403
POST /api/project/unexcept                           401    403  403    200     403         200   403        403   403               401      401     403
POST /api/project/unexcept (of another)              401    403  403    404     403         200   403        403   403               401      401     403

# Terreinen
GET /api/terrein/get                                 401    200  200    200     403         200   200        200   403               401      401     200
POST /api/terrein/create                             401    403  403    200     403         200   403        403   403               401      401     403
POST /api/terrein/edit                               401    403  403    200     403         200   403        403   403               401      401     403
POST /api/terrein/edit (of another)                  401    403  403    404     403         200   403        403   403               401      401     403
POST /api/terrein/delete                             401    403  403    200     403         200   403        403   403               401      401     403
POST /api/terrein/delete (of another)                401    403  403    404     403         200   403        403   403               401      401     403

# Alerts
GET /api/alert/get                                   401    200  200    200     403         200   200        200   403               401      401     200
POST /api/alert/seen                                 401    200  200    200     403         200   200        200   403               401      401     403
POST /api/alert/take                                 401    200  200    200     403         200   200        404   403               401      401     403
POST /api/alert/take (of another)                    401    404  404    404     403         200   200        200   403               401      401     403
POST /api/alert/mute                                 401    200  200    200     403         200   200        404   403               401      401     403
POST /api/alert/mute (of another)                    401    404  404    404     403         200   200        200   403               401      401     403
POST /api/alert/unmute (of another)                  401    404  404    404     403         404   404        404   403               401      401     403
GET /api/alert/preferences                           401    200  200    200     403         200   200        200   403               401      401     200
POST /api/alert/preferences                          401    200  200    200     403         200   200        200   403               401      401     403
GET /api/alert-rule/get                              401    200  200    200     403         200   200        200   403               401      401     200
POST /api/alert-rule/save (their own)                401    200  200    200     403         400   400        200   403               401      401     403
POST /api/alert-rule/save (of the organization)      401    403  403    200     403         200   403        403   403               401      401     403
POST /api/alert-rule/save (of another)               401    404  404    404     403         200   404        404   403               401      401     403
POST /api/alert-rule/preview (their own)             401    200  200    200     403         400   400        200   403               401      401     400
POST /api/alert-rule/preview (of the organization)   401    403  403    200     403         200   403        403   403               401      401     200
POST /api/alert-rule/delete                          401    404  404    200     403         200   404        404   403               401      401     403
POST /api/alert-rule/delete (of another)             401    404  404    404     403         200   404        404   403               401      401     403

# Labels and favourites
GET /api/label/get                                   401    200  200    200     403         200   200        200   403               401      401     200
GET /api/fault/get                                   401    200  200    200     403         200   200        404   403               401      401     200
GET /api/maintenance/get                             401    200  200    200     403         200   200        404   403               401      401     200
POST /api/maintenance/create                         401    403  403    200     403         200   200        403   403               401      401     403
POST /api/maintenance/create (of another)            401    403  403    404     403         200   200        403   403               401      401     403
POST /api/maintenance/edit                           401    403  403    200     403         200   200        403   403               401      401     403
POST /api/maintenance/edit (of another)              401    403  403    404     403         200   200        403   403               401      401     403
POST /api/maintenance/done                           401    403  403    200     403         200   200        403   403               401      401     403
POST /api/maintenance/done (of another)              401    403  403    404     403         200   200        403   403               401      401     403
POST /api/maintenance/delete                         401    403  403    200     403         200   200        403   403               401      401     403
POST /api/maintenance/delete (of another)            401    403  403    404     403         200   200        403   403               401      401     403
GET /api/maintenance/list                            401    200  200    200     403         200   200        200   403               401      401     200
GET /api/maintenance/list (on another’s project)     401    404  404    404     403         200   200        200   403               401      401     200
GET /api/maintenance/file                            401    200  403    200     403         200   200        200   403               401      401     200
GET /api/maintenance/template/get                    401    200  200    200     403         200   200        200   403               401      401     200
POST /api/maintenance/template/create                401    403  403    200     403         200   200        403   403               401      401     403
POST /api/maintenance/template/edit                  401    403  403    200     403         200   200        403   403               401      401     403
POST /api/maintenance/template/edit (of another)     401    403  403    404     403         200   200        403   403               401      401     403
POST /api/maintenance/template/delete                401    403  403    200     403         200   200        403   403               401      401     403
POST /api/maintenance/template/delete (of another)   401    403  403    404     403         200   200        403   403               401      401     403
GET /api/maintenance/template/preview                401    200  200    200     403         200   200        404   403               401      401     200
POST /api/maintenance/template/apply                 401    403  403    200     403         200   200        403   403               401      401     403
POST /api/maintenance/template/apply (of another)    401    403  403    404     403         200   200        403   403               401      401     403
GET /api/compare/courses                             401    200  200    200     403         200   200        404   403               401      401     200
GET /api/compare/figures                             401    200  200    200     403         200   200        404   403               401      401     200
POST /api/label/create                               401    200  403    200     403         200   200        200   403               401      401     403
POST /api/label/edit                                 401    200  403    200     403         200   200        404   403               401      401     403
POST /api/label/edit (of another)                    401    404  403    404     403         200   200        200   403               401      401     403
POST /api/label/delete                               401    200  403    200     403         200   200        404   403               401      401     403
POST /api/label/delete (of another)                  401    404  403    404     403         200   200        200   403               401      401     403
POST /api/label/assign                               401    200  403    200     403         200   200        404   403               401      401     403
POST /api/label/assign (another's)                   401    404  403    404     403         404   404        404   403               401      401     403
POST /api/label/unassign                             401    200  403    200     403         200   200        404   403               401      401     403
POST /api/favourite/add                              401    200  200    200     403         200   200        404   403               401      401     403
POST /api/favourite/remove                           401    200  200    200     403         200   200        404   403               401      401     403

# With what reports reckon
GET /api/report-factor/get                           401    200  200    200     403         200   200        200   403               401      401     200
POST /api/report-factor/create                       401    403  403    200     403         200   403        403   403               401      401     403
POST /api/report-factor/edit                         401    403  403    200     403         200   403        403   403               401      401     403
POST /api/report-factor/edit (of another)            401    403  403    404     403         200   403        403   403               401      401     403
POST /api/report-factor/delete                       401    403  403    200     403         200   403        403   403               401      401     403
POST /api/report-factor/delete (of another)          401    403  403    404     403         200   403        403   403               401      401     403
GET /api/charging-tariff/get                         401    200  200    200     403         200   200        200   403               401      401     200
POST /api/charging-tariff/create                     401    403  403    200     403         200   403        403   403               401      401     403
POST /api/charging-tariff/edit                       401    403  403    200     403         200   403        403   403               401      401     403
POST /api/charging-tariff/edit (of another)          401    403  403    404     403         200   403        403   403               401      401     403
POST /api/charging-tariff/delete                     401    403  403    200     403         200   403        403   403               401      401     403
POST /api/charging-tariff/delete (of another)        401    403  403    404     403         200   403        403   403               401      401     403

# Reports by mail
GET /api/report-mail/get                             401    200  200    200     200         200   200        200   200               401      401     200
POST /api/report-mail/subscribe                      401    200  200    200     403         200   200        200   403               401      401     403
POST /api/report-mail/subscribe (of a project)       401    200  200    200     403         200   200        404   403               401      401     403
POST /api/report-mail/unsubscribe (of another)       401    404  404    404     404         404   404        404   404               401      401     403
GET /api/organization/report-files                   401    403  403    200     403         200   403        403   403               401      401     200
GET /api/organization/report-files (of another)      401    403  403    404     403         200   403        403   403               401      401     200
POST /api/organization/report-files                  401    403  403    200     403         200   403        403   403               401      401     403
POST /api/organization/report-files (of another)     401    403  403    404     403         200   403        403   403               401      401     403

# Notifications on a device
GET /api/push/get                                    401    200  200    200     200         200   200        200   200               401      401     200
POST /api/push/subscribe (on this machine itself)    401    400  400    400     400         400   400        400   400               401      401     403
POST /api/push/unsubscribe (of another)              401    404  404    404     404         404   404        404   404               401      401     403
POST /api/push/test (without a device)               401    404  404    404     404         404   404        404   404               401      401     403

# Webhooks
GET /api/webhook/get                                 401    403  403    200     403         200   403        403   403               401      401     200
GET /api/webhook/get (of another)                    401    403  403    404     403         200   403        403   403               401      401     200
GET /api/webhook/log                                 401    403  403    200     403         200   403        403   403               401      401     200
GET /api/webhook/log (of another)                    401    403  403    404     403         200   403        403   403               401      401     200
POST /api/webhook/create                             401    403  403    200     403         200   403        403   403               401      401     403
POST /api/webhook/create (of another)                401    403  403    404     403         200   403        403   403               401      401     403
POST /api/webhook/edit                               401    403  403    200     403         200   403        403   403               401      401     403
POST /api/webhook/edit (of another)                  401    403  403    404     403         200   403        403   403               401      401     403
POST /api/webhook/secret                             401    403  403    200     403         200   403        403   403               401      401     403
POST /api/webhook/secret (of another)                401    403  403    404     403         200   403        403   403               401      401     403
POST /api/webhook/test                               401    403  403    200     403         200   403        403   403               401      401     403
POST /api/webhook/test (of another)                  401    403  403    404     403         200   403        403   403               401      401     403
POST /api/webhook/resend                             401    403  403    200     403         200   403        403   403               401      401     403
POST /api/webhook/resend (of another)                401    403  403    404     403         200   403        403   403               401      401     403
POST /api/webhook/switch                             401    403  403    200     403         200   403        403   403               401      401     403
POST /api/webhook/switch (of another)                401    403  403    404     403         200   403        403   403               401      401     403
POST /api/webhook/delete                             401    403  403    200     403         200   403        403   403               401      401     403
POST /api/webhook/delete (of another)                401    403  403    404     403         200   403        403   403               401      401     403

# Mails about charging
GET /api/mail/subscription-status                    401    200  200    200     404         200   200        404   404               401      401     200
POST /api/mail/subscribe                             401    200  200    200     404         200   200        404   404               401      401     403
POST /api/mail/unsubscribe                           401    200  200    200     404         200   200        404   404               401      401     403
GET /api/mail/unsubscribe/:token                     303    303  303    303     303         303   303        303   303               303      303     303
POST /api/mail/unsubscribe/:token                    200    200  200    200     200         200   200        200   200               200      200     403
POST /api/mail/unsubscribe/:token (not sealed by us) 400    400  400    400     400         400   400        400   400               400      400     403

# The portal itself
GET /api/map/layers                                  401    200  200    200     200         200   200        200   200               401      401     200
GET /api/portal/tasks                                401    403  403    403     403         200   403        403   403               401      401     200
GET /api/background-tasks                            401    200  200    200     200         200   200        200   200               401      401     200
GET /api/health                                      200    200  200    200     200         200   200        200   200               200      200     200
GET /.well-known/security.txt                        200    200  200    200     200         200   200        200   200               200      200     200
GET /metrics                                         401    403  403    403     403         200   403        403   403               401      401     200
GET /metrics (with its token)                        200    200  200    200     200         200   200        200   200               200      200     200
GET /metrics (with another token)                    401    403  403    403     403         200   403        403   403               401      401     200
GET /api/openapi.json                                200    200  200    200     200         200   200        200   200               200      200     200
GET /api/docs                                        200    200  200    200     200         200   200        200   200               200      200     200

# Not in the contract
GET /tiles/status                                    401    200  200    200     200         200   200        200   200               401      401     403
GET /tiles/:layer/:z/:x/:y                           401    200  200    200     200         200   200        200   200               401      401     403
GET /                                                200    200  200    200     200         200   200        200   200               200      200     200
GET /* (a page)                                      200    200  200    200     200         200   200        200   200               200      200     200
GET /* (a call that is none)                         404    404  404    404     404         404   404        404   404               404      404     404
GET /index.html                                      200    200  200    200     200         200   200        200   200               200      200     200
GET /assets/app-1a2b3c4d.js                          200    200  200    200     200         200   200        200   200               200      200     200
OPTIONS * (no browser's question)                    204    204  204    204     204         204   204        204   204               204      204     204
`;

/** GETs that change something: they do not answer HEAD, which programs send to explore. */
export const WITHOUT_HEAD: ReadonlySet<string> = new Set([
  '/api/organization/create',
  '/api/organization/disable/',
  '/api/machine/create',
  '/api/machine/edit',
  '/api/machine/writer/create',
  '/api/machine/config/create',
  '/api/machine/config/download',
  '/api/berend/new',
]);

/** Calls that ask for re-authentication. */
export const ASKS_PROOF: readonly string[] = [
  'DELETE /api/organization/delete/',
  'POST /api/organization/leave',
  'POST /api/machine/periods/erase',
  'POST /api/user/organization',
  'POST /api/user/role',
  'DELETE /api/user/delete',
  'POST /api/user/reset-factor',
  'POST /api/user/limit',
  'POST /api/user/link',
  'DELETE /api/account',
  'POST /api/account/oidc/link',
  'POST /api/account/oidc/unlink',
  'POST /api/organization/second-factor',
  'POST /api/organization/oidc',
  'POST /api/organization/oidc/delete',
  'POST /api/organization/oidc/only',
  'POST /api/account/factors/totp/confirm',
  'POST /api/account/factors/passkey/confirm',
  'DELETE /api/account/factors',
  'POST /api/account/factors/recovery-codes',
  'DELETE /api/machine/delete',
  'POST /api/machine/restore',
  'POST /api/machine/sell',
  'POST /api/machine/erasure/create',
  'POST /api/machine/writer/key',
  'POST /api/machine/writer/move',
  'POST /api/machine/writer/replace',
  'POST /api/machine/writer/take-back',
  'POST /api/machine/writer/release',
  'POST /api/invitation/create',
  'POST /api/applicant/admit',
  'POST /api/webhook/create',
  'POST /api/webhook/edit',
  'POST /api/webhook/secret',
  'POST /api/webhook/delete',
  'POST /api/berend/restore',
  'DELETE /api/berend/delete',
];

const COLUMNS = [
  'nobody',
  'user',
  'viewer',
  'manager',
  'logger-user',
  'admin',
  'technician',
  'other',
  'other-logger-user',
  'disabled',
  'deleted',
  'another-site',
] as const;
export const PEOPLE = [...COLUMNS, ...LIMITED_PEOPLE] as const;
export type Person = (typeof PEOPLE)[number];

/** `name`: as in the table; `route`: 'METHOD /path', without the part in parentheses. */
export type Row = {
  readonly name: string;
  readonly route: string;
  readonly is: Readonly<Record<Person, number>>;
};

export const ROWS: readonly Row[] = read(TABLE);

function read(table: string): Row[] {
  const [head = '', ...lines] = table
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'));
  if (head.trim().split(/\s+/).join() !== COLUMNS.join()) throw new Error(`The columns are not ${COLUMNS}`);
  return lines.map((line) => {
    const [, name = '', statuses = ''] = /^(.*?)\s+((?:\d{3}\s*)+)$/.exec(line) ?? [];
    const is = statuses.trim().split(/\s+/).map(Number);
    if (is.length !== COLUMNS.length) throw new Error(`The number of statuses is wrong: ${line}`);
    return {
      name,
      route: name.replace(/ \(.*\)$/, ''),
      is: {
        ...Object.fromEntries(COLUMNS.map((person, n) => [person, is[n]])),
        ...limitedStatuses(name, is[0] ?? 401),
      } as Row['is'],
    };
  });
}
