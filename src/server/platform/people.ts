import { ADMIN_ORGANIZATION } from '#shared/domain/access.ts';
import { goneAccount } from '#shared/domain/log-text.ts';

/** What is stored of people is an account's id, so that an address that is erased stands nowhere else. These are SQL. */

/** The id of the account with an e-mail address; null: there is none. @param email a parameter of the statement */
export const accountCalled = (email: string): string =>
  `(select id from account where lower(email) = lower(${email}::text))`;

/**
 * Returns the account with an id as it is today, as json for shared/domain/known-people.ts; null where there is none any
 * more. @param id an expression of the statement
 */
export const accountNow = (id: string): string =>
  `(select json_build_object('id', p.id, 'name', p.name, 'email', p.email, 'organizationId', p.organization_id,
      'isStaff', po.name = '${ADMIN_ORGANIZATION}')
    from account p join organization po on po.id = p.organization_id where p.id = ${id})`;

/**
 * Returns what the account with an id is called: its own name, else its address, else the number that no other account gets.
 * For calls of administrators and technicians only, who may see all people; any other call takes accountNow().
 */
export const nameOf = (id: string): string =>
  `(select case when ${id} is not null then coalesce(p.name, p.email, '${goneAccount('')}' || ${id}) end
    from (values (1)) as one left join account p on p.id = ${id})`;
