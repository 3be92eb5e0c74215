import { NOUNS } from './nouns.ts';
import { PEOPLE, type Person } from './people.ts';

/**
 * Permissions: every call of the portal x every kind of person (people.ts), and the status that each must get (API-02; OWASP ASVS 5.0
 * V8.2.1, V8.2.2, V8.4.1). Written by hand from docs/requirements.md, not derived from the contract, so that it checks the contract;
 * principals.pg.test.ts makes the calls. Rows of a noun with a file noun.ts in its test folder stand there.
 */
const TABLE = `
                                                     nobody user viewer manager logger-user admin technician other other-logger-user disabled deleted another-site limited today

# Signing in
GET /api/auth/validate-token                         200    200  200    200     200         200   200        200   200               200      200     200          200     200
POST /api/auth/login (with their own password)       401    200  200    200     200         200   200        200   200               403      401     403          200     200
POST /api/auth/login (as a user, guessing)           401    401  401    401     401         401   401        401   401               401      401     403          401     401
POST /api/auth/register (their organization's code)  400    200  200    200     200         400   400        200   200               400      200     403          200     200
POST /api/auth/forgot-password                       200    200  200    200     200         200   200        200   200               200      200     403          200     200
POST /api/auth/reset-password-with-code (guessing)   400    400  400    400     400         400   400        400   400               400      400     403          400     400
POST /api/auth/confirm-address/send                  401    200  200    200     200         200   200        200   200               401      401     403          200     200
POST /api/auth/confirm-address (not sealed by us)    400    400  400    400     400         400   400        400   400               400      400     403          400     400
POST /api/auth/reset-link (guessing)                 400    400  400    400     400         400   400        400   400               400      400     403          400     400
POST /api/auth/reset-password-with-link (guessing)   400    400  400    400     400         400   400        400   400               400      400     403          400     400
POST /api/account/password (guessing)                401    400  400    400     400         400   400        400   400               401      401     403          400     400
POST /api/auth/logout                                200    200  200    200     200         200   200        200   200               200      200     403          200     200
POST /api/auth/login/code (without a password)       401    401  401    401     401         401   401        401   401               401      401     403          401     401
POST /api/auth/passkey/options                       200    200  200    200     200         200   200        200   200               200      200     403          200     200
POST /api/auth/passkey/login (of nobody)             401    401  401    401     401         401   401        401   401               401      401     403          401     401

# Their own second factor
GET /api/account/factors                             401    200  200    200     200         200   200        200   200               401      401     200          200     200
POST /api/account/factors/totp                       401    200  200    200     200         200   200        200   200               401      401     403          200     200
POST /api/account/factors/totp/confirm (unasked)     401    400  400    400     400         400   400        400   400               401      401     403          400     400
POST /api/account/factors/passkey                    401    200  200    200     200         200   200        200   200               401      401     403          200     200
POST /api/account/factors/passkey/confirm (unasked)  401    400  400    400     400         400   400        400   400               401      401     403          400     400
POST /api/account/factors/rename (of another)        401    404  404    404     404         404   404        404   404               401      401     403          404     404
DELETE /api/account/factors (of another)             401    404  404    404     404         404   404        404   404               401      401     403          404     404
POST /api/account/factors/recovery-codes (none)      401    409  409    409     409         409   409        409   409               401      401     403          409     409

# Signing in by an organization's own provider
GET /api/auth/oidc                                   200    200  200    200     200         200   200        200   200               200      200     200          200     200
POST /api/auth/oidc/start                            502    502  502    502     502         502   502        502   502               502      502     403          502     502
POST /api/auth/oidc/start (of no organization)       404    404  404    404     404         404   404        404   404               404      404     403          404     404
GET /api/auth/oidc/callback/:organization            303    303  303    303     303         303   303        303   303               303      303     303          303     303
POST /api/auth/oidc/confirm (guessing)               409    409  409    409     409         409   409        409   409               409      409     403          409     409
POST /api/auth/oidc/invitation (with a mailed link)  404    404  404    404     404         404   404        404   404               404      404     403          404     404
POST /api/auth/oidc/invitation (with none of ours)   404    404  404    404     404         404   404        404   404               404      404     403          404     404
GET /api/account/oidc                                401    200  200    200     200         200   200        200   200               401      401     200          200     200
POST /api/account/oidc/link                          401    502  502    502     502         502   502        502   502               401      401     403          502     502
POST /api/account/oidc/unlink                        401    200  200    200     200         200   200        200   200               401      401     403          200     200
GET /api/organization/oidc                           401    403  403    200     403         200   403        403   403               401      401     200          403     403
GET /api/organization/oidc (of another)              401    403  403    404     403         200   403        403   403               401      401     200          403     403
POST /api/organization/oidc                          401    403  403    403     403         400   403        403   403               401      401     403          403     403
POST /api/organization/oidc/delete                   401    403  403    403     403         200   403        403   403               401      401     403          403     403
POST /api/organization/oidc/only                     401    403  403    200     403         200   403        403   403               401      401     403          403     403
POST /api/organization/oidc/only (of another)        401    403  403    404     403         200   403        403   403               401      401     403          403     403

# Organizations and users
GET /api/organization/get                            401    200  200    200     200         200   200        200   200               401      401     200          403     403
GET /api/organization/get/electric                   401    200  200    200     200         200   200        200   200               401      401     200          403     403
GET /api/organization/get/berende                    401    200  200    200     200         200   200        200   200               401      401     200          403     403
GET /api/organization/create                         401    403  403    403     403         200   403        403   403               401      401     403          403     403
GET /api/organization/privacy                        401    403  403    200     403         200   403        403   403               401      401     200          403     403
POST /api/organization/privacy                       401    403  403    200     403         200   403        403   403               401      401     403          403     403
GET /api/organization/disable/                       401    403  403    403     403         200   403        403   403               401      401     403          403     403
DELETE /api/organization/delete/                     401    403  403    403     403         200   403        403   403               401      401     403          403     403
GET /api/organization/leaving                        401    403  403    403     403         200   403        403   403               401      401     200          403     403
GET /api/organization/leave                          401    403  403    403     403         200   403        403   403               401      401     200          403     403
POST /api/organization/leave                         401    403  403    403     403         200   403        403   403               401      401     403          403     403
POST /api/organization/leave/undo                    401    403  403    403     403         200   403        403   403               401      401     403          403     403
GET /api/user/get                                    401    403  403    200     403         200   403        403   403               401      401     200          403     403
POST /api/user/organization                          401    403  403    403     403         200   403        403   403               401      401     403          403     403
POST /api/user/organization (themselves, to admin)   401    403  403    403     403         200   403        403   403               401      401     403          403     403
POST /api/user/role                                  401    403  403    200     403         200   403        403   403               401      401     403          403     403
POST /api/user/role (of another organization)        401    403  403    404     403         200   403        403   403               401      401     403          403     403
POST /api/user/role (themselves, to administrator)   401    403  403    400     403         200   403        403   403               401      401     403          403     403
DELETE /api/user/delete                              401    403  403    404     403         200   403        403   403               401      401     403          403     403
POST /api/user/reset-factor                          401    403  403    200     403         200   403        403   403               401      401     403          403     403
POST /api/user/reset-factor (of another)             401    403  403    404     403         200   403        403   403               401      401     403          403     403
POST /api/user/reset-factor (of an equal)            401    403  403    403     403         403   403        403   403               401      401     403          403     403
POST /api/user/limit                                 401    403  403    200     403         200   403        403   403               401      401     403          403     403
POST /api/user/limit (of another)                    401    403  403    404     403         200   403        403   403               401      401     403          403     403
POST /api/user/limit (of a beheerder)                401    403  403    400     403         400   403        403   403               401      401     403          403     403
POST /api/user/link                                  401    403  403    200     403         200   403        403   403               401      401     403          403     403
POST /api/user/link (of another)                     401    403  403    404     403         200   403        403   403               401      401     403          403     403
POST /api/user/link (of an equal)                    401    403  403    403     403         403   403        403   403               401      401     403          403     403
GET /api/organization/second-factor                  401    403  403    200     403         200   403        403   403               401      401     200          403     403
GET /api/organization/second-factor (of another)     401    403  403    404     403         200   403        403   403               401      401     200          403     403
POST /api/organization/second-factor                 401    403  403    200     403         200   403        403   403               401      401     403          403     403
POST /api/organization/second-factor (of another)    401    403  403    404     403         200   403        403   403               401      401     403          403     403
POST /api/organization/code                          401    403  403    404     403         200   403        403   403               401      401     403          403     403
POST /api/organization/code (of their own)           401    403  403    200     403         409   403        403   403               401      401     403          403     403
POST /api/organization/clean                         401    403  403    404     403         200   403        403   403               401      401     403          403     403
POST /api/organization/clean (of their own)          401    403  403    200     403         409   403        403   403               401      401     403          403     403
POST /api/organization/registration                  401    403  403    404     403         200   403        403   403               401      401     403          403     403
POST /api/organization/registration (of their own)   401    403  403    200     403         409   403        403   403               401      401     403          403     403

# Getting people in
GET /api/invitation/get                              401    403  403    200     403         200   403        403   403               401      401     200          403     403
POST /api/invitation/create                          401    403  403    200     403         200   403        403   403               401      401     403          403     403
POST /api/invitation/create (an administrator)       401    403  403    400     403         200   403        403   403               401      401     403          403     403
POST /api/invitation/revoke                          401    403  403    404     403         200   403        403   403               401      401     403          403     403
POST /api/invitation/revoke (of their own)           401    403  403    200     403         200   403        403   403               401      401     403          403     403
POST /api/invitation/look (with a mailed link)       200    200  200    200     200         200   200        200   200               200      200     403          200     200
POST /api/invitation/look (with none of ours)        404    404  404    404     404         404   404        404   404               404      404     403          404     404
POST /api/invitation/accept (with none of ours)      404    404  404    404     404         404   404        404   404               404      404     403          404     404
GET /api/applicant/get                               401    403  403    200     403         200   403        403   403               401      401     200          403     403
POST /api/applicant/admit                            401    403  403    404     403         200   403        403   403               401      401     403          403     403
POST /api/applicant/admit (to their own)             401    403  403    200     403         200   403        403   403               401      401     403          403     403
POST /api/applicant/refuse                           401    403  403    404     403         200   403        403   403               401      401     403          403     403
POST /api/applicant/refuse (to their own)            401    403  403    200     403         200   403        403   403               401      401     403          403     403

# One's own account
POST /api/account/name                               401    200  200    200     200         200   200        200   200               401      401     403          200     200
GET /api/account/sessions                            401    200  200    200     200         200   200        200   200               401      401     200          200     200
POST /api/account/sessions/end (somebody else's)     401    404  404    404     404         404   404        404   404               401      401     403          404     404
POST /api/account/sessions/end-others                401    200  200    200     200         200   200        200   200               401      401     403          200     200
GET /api/account/subscriptions                       401    200  200    200     200         200   200        200   200               401      401     200          200     200
GET /api/account/data                                401    200  200    200     200         200   200        200   200               401      401     200          200     200
POST /api/account/proof/options                      401    200  200    200     200         200   200        200   200               401      401     403          200     200
POST /api/account/proof (their own password)         401    200  200    200     200         200   200        200   200               401      401     403          200     200
POST /api/account/proof (guessing)                   401    400  400    400     400         400   400        400   400               401      401     403          400     400
DELETE /api/account                                  401    200  200    200     200         200   200        200   200               401      401     403          200     200

# The log
GET /api/log                                         401    403  403    200     403         200   403        403   403               401      401     200          403     403
GET /api/log/csv                                     401    403  403    200     403         200   403        403   403               401      401     200          403     403

# Live data and history
GET /api/live                                        401    200  200    200     200         200   200        200   200               401      401     200          200     200
GET /api/influx/gps/:serialNumber                    401    200  200    200     404         200   200        403   404               401      401     200          200     200
GET /api/influx/gps/:serialNumber (every point)      401    200  200    200     404         200   200        403   404               401      401     200          200     200
GET /api/influx/driverhours/:serialNumber            401    200  200    200     404         200   200        404   404               401      401     200          403     403
GET /api/influx/workpower/:serialNumber              401    200  200    200     404         200   200        404   404               401      401     200          200     200
GET /api/influx/powerback/:id                        401    200  200    200     404         200   200        404   404               401      401     200          200     200
GET /api/influx/powerback/:id (an LMB logger)        401    404  404    404     200         200   200        404   404               401      401     200          404     404
GET /api/influx/day/:serialNumber                    401    200  200    200     404         200   200        404   404               401      401     200          200     200
GET /api/influx/speeds/:serialNumber                 401    200  200    200     404         200   200        403   404               401      401     200          200     200
GET /api/influx/transports/:serialNumber             401    200  200    200     404         200   200        404   404               401      401     200          200     200
GET /api/influx/sessions/:serialNumber               401    200  200    200     404         200   200        404   404               401      401     200          200     200
GET /api/influx/sessions/:serialNumber/curve         401    200  200    200     404         200   200        404   404               401      401     200          200     200
GET /api/influx/capacity/:serialNumber               401    200  200    200     404         200   200        404   404               401      401     200          200     403
GET /api/influx/forecast/:serialNumber               401    200  200    200     404         200   200        404   404               401      401     200          200     403
GET /api/influx/days/:serialNumber                   401    200  200    200     404         200   200        404   404               401      401     200          200     200
GET /api/influx/unused-levels/:serialNumber          401    200  200    200     404         200   200        404   404               401      401     200          200     200
GET /api/influx/signals/:id                          401    200  200    200     404         200   200        404   404               401      401     200          200     200
GET /api/influx/signals/:id (an LMB logger)          401    404  404    404     200         200   200        404   404               401      401     200          404     404
GET /api/influx/signals/:id/values                   401    200  200    200     404         200   200        404   404               401      401     200          200     200
GET /api/influx/signals/:id/values (an LMB logger)   401    404  404    404     200         200   200        404   404               401      401     200          404     404

# Machines
GET /api/machine/get                                 401    200  200    200     403         200   200        404   403               401      401     200          200     200
GET /api/machine/get (by brand and name)             401    200  200    200     403         200   200        404   403               401      401     200          200     200
GET /api/machine/get/serial                          401    200  200    200     403         200   200        404   403               401      401     200          200     200
GET /api/machine/get/all                             401    200  200    200     403         200   200        200   403               401      401     200          200     200
GET /api/machine/get/deleted                         401    403  403    403     403         200   200        403   403               401      401     200          403     403
GET /api/machine/create                              401    403  403    403     403         200   200        403   403               401      401     403          403     403
GET /api/machine/edit                                401    403  403    403     403         200   200        403   403               401      401     403          403     403
POST /api/machine/create                             401    403  403    403     403         200   200        403   403               401      401     403          403     403
POST /api/machine/edit                               401    403  403    403     403         200   200        403   403               401      401     403          403     403
GET /api/machine/sale/:serial                        401    403  403    403     403         200   200        403   403               401      401     200          403     403
DELETE /api/machine/delete                           401    403  403    403     403         200   200        403   403               401      401     403          403     403
GET /api/machine/periods                             401    403  403    403     403         200   403        403   403               401      401     200          403     403
POST /api/machine/periods/erase                      401    403  403    403     403         200   403        403   403               401      401     403          403     403
POST /api/machine/restore                            401    403  403    403     403         200   200        403   403               401      401     403          403     403

# Their photo and manual
GET /api/machine/files/:serial                       401    200  200    200     403         200   200        404   403               401      401     200          200     200
GET /api/img/:serial                                 401    200  200    200     403         200   200        404   403               401      401     200          200     200
GET /api/img/:serial/:hash                           401    200  200    200     403         200   200        404   403               401      401     200          200     200
GET /api/manual/:serial                              401    200  200    200     403         200   200        404   403               401      401     200          200     200
GET /api/manual/:serial/:hash                        401    200  200    200     403         200   200        404   403               401      401     200          200     200
POST /api/img/upload                                 401    403  403    403     403         200   200        403   403               401      401     403          403     403
POST /api/manual/upload                              401    403  403    403     403         200   200        403   403               401      401     403          403     403
POST /api/img/delete                                 401    403  403    403     403         200   200        403   403               401      401     403          403     403
POST /api/manual/delete                              401    403  403    403     403         200   200        403   403               401      401     403          403     403

# The logger of a machine, its definition and its configuration
GET /api/machine/writer/create                       401    403  403    403     403         200   200        403   403               401      401     403          403     403
POST /api/machine/writer/key                         401    403  403    403     403         200   200        403   403               401      401     403          403     403
POST /api/machine/writer/key (withdrawing the old)   401    403  403    403     403         200   200        403   403               401      401     403          403     403
POST /api/machine/writer/take-over                   401    403  403    403     403         200   200        403   403               401      401     403          403     403
POST /api/machine/writer/network                     401    403  403    403     403         200   200        403   403               401      401     403          403     403
GET /api/machine/writer/health/:serial               401    403  403    403     403         200   200        403   403               401      401     200          403     403
GET /api/machine/writer/unknown                      401    403  403    403     403         200   200        403   403               401      401     200          403     403
GET /api/machine/writer/keys-to-replace              401    403  403    403     403         200   200        403   403               401      401     200          403     403
GET /api/machine/writer/old-addresses                401    403  403    403     403         200   200        403   403               401      401     200          403     403
GET /api/machine/dbc/:serial                         401    403  403    403     403         200   200        403   403               401      401     200          403     403
GET /api/machine/dbc/:serial/versions                401    403  403    403     403         200   200        403   403               401      401     200          403     403
GET /api/machine/dbc/:serial/sources                 401    403  403    403     403         200   200        403   403               401      401     200          403     403
GET /api/machine/dbc/:serial/reference               401    403  403    403     403         200   200        403   403               401      401     200          403     403
GET /api/machine/dbc/:serial/redecode                401    403  403    403     403         200   200        403   403               401      401     200          403     403
POST /api/machine/dbc/upload                         401    403  403    403     403         200   200        403   403               401      401     403          403     403
POST /api/machine/dbc/mapping                        401    403  403    403     403         200   200        403   403               401      401     403          403     403
POST /api/machine/dbc/j1939                          401    403  403    403     403         200   200        403   403               401      401     403          403     403
POST /api/machine/dbc/redecode                       401    403  403    403     403         200   200        403   403               401      401     403          403     403
POST /api/machine/dbc/restore                        401    403  403    403     403         200   200        403   403               401      401     403          403     403
GET /api/machine/empty-logs                          401    403  403    403     403         200   200        403   403               401      401     200          403     403
GET /api/machine/closed-week/:serial                 401    403  403    403     403         200   403        403   403               401      401     200          403     403
GET /api/machine/closed-week/:serial/:monday (open)  401    403  403    403     403         404   403        403   403               401      401     404          403     403
GET /api/machine/log-file/:serial                    401    403  403    403     403         200   200        403   403               401      401     200          403     403
GET /api/machine/log-file/:serial/:id                401    403  403    403     403         200   200        403   403               401      401     200          403     403
POST /api/machine/log-file/decode                    401    403  403    403     403         200   200        403   403               401      401     403          403     403
POST /api/machine/log-file/upload (no log)           401    403  403    403     403         400   400        403   403               401      401     403          403     403
GET /api/machine/config/create                       401    403  403    403     403         200   200        403   403               401      401     403          403     403
GET /api/machine/config/download                     401    403  403    403     403         200   200        403   403               401      401     403          403     403
POST /api/machine/dbc/delete                         401    403  403    403     403         200   200        403   403               401      401     403          403     403
POST /api/machine/writer/release                     401    403  403    403     403         200   200        403   403               401      401     403          403     403
POST /api/machine/writer/move                        401    403  403    403     403         200   200        403   403               401      401     403          403     403
POST /api/machine/writer/replace                     401    403  403    403     403         200   200        403   403               401      401     403          403     403
POST /api/machine/writer/take-back                   401    403  403    403     403         200   200        403   403               401      401     403          403     403
POST /api/machine/sell                               401    403  403    403     403         200   200        403   403               401      401     403          403     403
GET /api/machine/erasure/:serial                     401    403  403    403     403         200   403        403   403               401      401     200          403     403
GET /api/machine/erasure/:serial/preview             401    403  403    403     403         200   403        403   403               401      401     200          403     403
POST /api/machine/erasure/create                     401    403  403    403     403         200   403        403   403               401      401     403          403     403
POST /api/machine/erasure/undo                       401    403  403    403     403         404   403        403   403               401      401     403          403     403

# LMB loggers
GET /api/berend/get                                  401    403  403    403     200         200   200        403   200               401      401     200          403     403
GET /api/berend/get/one                              401    403  403    403     200         200   200        403   404               401      401     200          403     403
GET /api/berend/get/one (by name)                    401    403  403    403     200         200   200        403   404               401      401     200          403     403
GET /api/berend/get/data                             401    403  403    403     200         200   200        403   404               401      401     200          403     403
GET /api/berend/get/deleted                          401    403  403    403     403         200   200        403   403               401      401     200          403     403
GET /api/berend/new                                  401    403  403    403     403         200   200        403   403               401      401     403          403     403
POST /api/berend/restore                             401    403  403    403     403         200   200        403   403               401      401     403          403     403
DELETE /api/berend/delete                            401    403  403    403     403         200   200        403   403               401      401     403          403     403

# Projects
GET /api/report/:kind                                401    200  200    200     403         200   200        200   403               401      401     200          200     403
GET /api/report/:kind (of a machine)                 401    200  200    200     403         200   200        404   403               401      401     200          200     403
GET /api/report/:kind/file                           401    200  403    200     403         200   200        200   403               401      401     200          200     403
GET /api/report/:kind/file (of a machine)            401    200  403    200     403         200   200        404   403               401      401     200          200     403
GET /api/fleet/figures                               401    200  200    200     403         200   200        200   403               401      401     200          200     200
GET /api/fleet/figures/:serialNumber                 401    200  200    200     403         200   200        404   403               401      401     200          200     200
GET /api/project/get                                 401    200  200    200     403         200   200        200   403               401      401     200          200     200
GET /api/project/page                                401    200  200    200     403         200   200        404   403               401      401     200          404     200
POST /api/project/create                             401    403  403    200     403         200   403        403   403               401      401     403          403     403
POST /api/project/edit                               401    403  403    200     403         200   403        403   403               401      401     403          403     403
POST /api/project/edit (of another)                  401    403  403    404     403         200   403        403   403               401      401     403          403     403
POST /api/project/delete                             401    403  403    200     403         200   403        403   403               401      401     403          403     403
POST /api/project/delete (of another)                401    403  403    404     403         200   403        403   403               401      401     403          403     403
POST /api/project/assign                             401    403  403    200     403         200   403        403   403               401      401     403          403     403
POST /api/project/assign (to another's)              401    403  403    404     403         404   403        403   403               401      401     403          403     403
POST /api/project/unassign                           401    403  403    200     403         200   403        403   403               401      401     403          403     403
POST /api/project/unassign (of another)              401    403  403    404     403         200   403        403   403               401      401     403          403     403
POST /api/project/change-assignment                  401    403  403    200     403         200   403        403   403               401      401     403          403     403
POST /api/project/change-assignment (of another)     401    403  403    404     403         200   403        403   403               401      401     403          403     403
POST /api/project/take-off                           401    403  403    200     403         200   403        403   403               401      401     403          403     403
POST /api/project/take-off (of another's)            401    403  403    404     403         404   403        403   403               401      401     403          403     403
POST /api/project/except                             401    403  403    200     403         200   403        403   403               401      401     403          403     403
POST /api/project/except (of another's)              401    403  403    404     403         404   403        403   403               401      401     403          403     403
POST /api/project/unexcept                           401    403  403    200     403         200   403        403   403               401      401     403          403     403
POST /api/project/unexcept (of another)              401    403  403    404     403         200   403        403   403               401      401     403          403     403

# Alerts
GET /api/alert/get                                   401    200  200    200     403         200   200        200   403               401      401     200          200     200
POST /api/alert/seen                                 401    200  200    200     403         200   200        200   403               401      401     403          200     200
POST /api/alert/take                                 401    200  200    200     403         200   200        404   403               401      401     403          200     200
POST /api/alert/take (of another)                    401    404  404    404     403         200   200        200   403               401      401     403          404     404
POST /api/alert/mute                                 401    200  200    200     403         200   200        404   403               401      401     403          200     200
POST /api/alert/mute (of another)                    401    404  404    404     403         200   200        200   403               401      401     403          404     404
POST /api/alert/unmute (of another)                  401    404  404    404     403         404   404        404   403               401      401     403          404     404
GET /api/alert/preferences                           401    200  200    200     403         200   200        200   403               401      401     200          200     200
POST /api/alert/preferences                          401    200  200    200     403         200   200        200   403               401      401     403          200     200
GET /api/alert-rule/get                              401    200  200    200     403         200   200        200   403               401      401     200          403     403
POST /api/alert-rule/save (their own)                401    200  200    200     403         400   400        200   403               401      401     403          403     403
POST /api/alert-rule/save (of the organization)      401    403  403    200     403         200   403        403   403               401      401     403          403     403
POST /api/alert-rule/save (of another)               401    404  404    404     403         200   404        404   403               401      401     403          403     403
POST /api/alert-rule/preview (their own)             401    200  200    200     403         400   400        200   403               401      401     400          403     403
POST /api/alert-rule/preview (of the organization)   401    403  403    200     403         200   403        403   403               401      401     200          403     403
POST /api/alert-rule/delete                          401    404  404    200     403         200   404        404   403               401      401     403          403     403
POST /api/alert-rule/delete (of another)             401    404  404    404     403         200   404        404   403               401      401     403          403     403

# Mails about charging
GET /api/mail/subscription-status                    401    200  200    200     404         200   200        404   404               401      401     200          200     200
POST /api/mail/subscribe                             401    200  200    200     404         200   200        404   404               401      401     403          200     200
POST /api/mail/unsubscribe                           401    200  200    200     404         200   200        404   404               401      401     403          200     200
GET /api/mail/unsubscribe/:token                     303    303  303    303     303         303   303        303   303               303      303     303          303     303
POST /api/mail/unsubscribe/:token                    200    200  200    200     200         200   200        200   200               200      200     403          200     200
POST /api/mail/unsubscribe/:token (not sealed by us) 400    400  400    400     400         400   400        400   400               400      400     403          400     400

# The portal itself
GET /api/map/layers                                  401    200  200    200     200         200   200        200   200               401      401     200          200     200
GET /api/portal/tasks                                401    403  403    403     403         200   403        403   403               401      401     200          403     403
GET /api/background-tasks                            401    200  200    200     200         200   200        200   200               401      401     200          200     200
GET /api/health                                      200    200  200    200     200         200   200        200   200               200      200     200          200     200
GET /.well-known/security.txt                        200    200  200    200     200         200   200        200   200               200      200     200          200     200
GET /metrics                                         401    403  403    403     403         200   403        403   403               401      401     200          403     403
GET /metrics (with its token)                        200    200  200    200     200         200   200        200   200               200      200     200          200     200
GET /metrics (with another token)                    401    403  403    403     403         200   403        403   403               401      401     200          403     403
GET /api/openapi.json                                200    200  200    200     200         200   200        200   200               200      200     200          200     200
GET /api/docs                                        200    200  200    200     200         200   200        200   200               200      200     200          200     200

# Not in the contract
GET /tiles/status                                    401    200  200    200     200         200   200        200   200               401      401     403          200     200
GET /tiles/:layer/:z/:x/:y                           401    200  200    200     200         200   200        200   200               401      401     403          200     200
GET /                                                200    200  200    200     200         200   200        200   200               200      200     200          200     200
GET /* (a page)                                      200    200  200    200     200         200   200        200   200               200      200     200          200     200
GET /* (a call that is none)                         404    404  404    404     404         404   404        404   404               404      404     404          404     404
GET /index.html                                      200    200  200    200     200         200   200        200   200               200      200     200          200     200
GET /assets/app-1a2b3c4d.js                          200    200  200    200     200         200   200        200   200               200      200     200          200     200
OPTIONS * (no browser's question)                    204    204  204    204     204         204   204        204   204               204      204     204          204     204
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

/** `name`: as in the table; `route`: 'METHOD /path', without the part in parentheses. */
export type Row = {
  readonly name: string;
  readonly route: string;
  readonly is: Readonly<Record<Person, number>>;
};

export const ROWS: readonly Row[] = [TABLE, ...NOUNS.map(({ permissions }) => permissions)].flatMap(read);

function read(table: string): Row[] {
  const [head = '', ...lines] = table
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'));
  if (head.trim().split(/\s+/).join() !== PEOPLE.join()) throw new Error(`The columns are not ${PEOPLE}`);
  return lines.map((line) => {
    const [, name = '', statuses = ''] = /^(.*?)\s+((?:\d{3}\s*)+)$/.exec(line) ?? [];
    const is = statuses.trim().split(/\s+/).map(Number);
    if (is.length !== PEOPLE.length) throw new Error(`The number of statuses is wrong: ${line}`);
    return {
      name,
      route: name.replace(/ \(.*\)$/, ''),
      is: Object.fromEntries(PEOPLE.map((person, n) => [person, is[n]])) as Row['is'],
    };
  });
}
