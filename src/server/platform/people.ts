import { goneAccount } from '#shared/domain/log-words.ts';

/** What is stored of people is an account's id, so that an address that is erased stands nowhere else. These are SQL. */

/** The id of the account with an e-mail address; null: there is none. @param email a parameter of the statement */
export const accountCalled = (email: string): string =>
  `(select id from account where lower(email) = lower(${email}::text))`;

/** What the account with an id is called: by its own name, else by its address, else by the number that nobody else gets. */
export const nameOf = (id: string): string =>
  `(select case when ${id} is not null then coalesce(p.name, p.email, '${goneAccount('')}' || ${id}) end
    from (values (1)) as one left join account p on p.id = ${id})`;
