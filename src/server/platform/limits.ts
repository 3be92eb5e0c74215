/**
 * Returns SQL for the access limit in a row of `account` or `invitation`, as a Limit; null: access is not limited.
 * @param row the alias of that table in the statement
 */
export const accessLimitSql = (row: string): string =>
  `case when ${row}.limit_projects is not null or ${row}.only_today then json_build_object(
     'projects', to_json(${row}.limit_projects), 'labels', to_json(${row}.limit_labels), 'onlyToday', ${row}.only_today) end`;
