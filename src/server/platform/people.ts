import { ADMIN_ORGANIZATION } from '#shared/domain/access.ts';
import { departedAccountText } from '#shared/domain/log-text.ts';

/** SQL that finds people. Tables store account ids instead of e-mail addresses, so that no copy of an erased address remains. */

/**
 * Returns SQL for the id of the account with an e-mail address; null: none.
 * @param email the SQL parameter with the address, such as $1
 */
export const accountIdByEmailSql = (email: string): string =>
  `(select id from account where lower(email) = lower(${email}::text))`;

/**
 * Returns SQL for the present data of an account, as json for shared/domain/known-people.ts; null when it was deleted.
 * @param id the SQL expression for the account's id
 */
export const currentAccountJsonSql = (id: string): string =>
  `(select json_build_object('id', p.id, 'name', p.name, 'email', p.email, 'organizationId', p.organization_id,
      'isStaff', po.name = '${ADMIN_ORGANIZATION}')
    from account p join organization po on po.id = p.organization_id where p.id = ${id})`;

/**
 * Returns SQL for the name of an account: its own name, else its e-mail address, else a text with its id. Only for calls of
 * administrators and technicians, who may see all people; other calls use currentAccountJsonSql().
 */
export const accountNameSql = (id: string): string =>
  `(select case when ${id} is not null then coalesce(p.name, p.email, '${departedAccountText('')}' || ${id}) end
    from (values (1)) as one left join account p on p.id = ${id})`;
