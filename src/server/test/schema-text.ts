import type { Database } from '#server/platform/database.ts';
import { SCHEMA } from '#server/schema.ts';

type Table = {
  readonly name: string;
  readonly comment: string | null;
  /** The query of a view; null for a table. */
  readonly query: string | null;
  readonly partitioned: string | null;
  readonly options: string | null;
  readonly columns: readonly { readonly text: string; readonly comment: string | null }[];
  readonly constraints: readonly string[];
  /** Partitions, indexes and triggers. */
  readonly statements: readonly string[];
};

/** Selects tables and views. A partition is no row of the result: it is one of the statements of its table. */
const TABLES = `
  select c.relname as name, obj_description(c.oid, 'pg_class') as comment,
    case when c.relkind = 'v' then pg_get_viewdef(c.oid) end as query,
    case when c.relkind = 'p' then pg_get_partkeydef(c.oid) end as partitioned,
    array_to_string(c.reloptions, ', ') as options,
    (select json_agg(json_build_object('comment', col_description(c.oid, a.attnum), 'text', concat_ws(' ',
        quote_ident(a.attname), format_type(a.atttypid, a.atttypmod),
        case when a.attstorage <> t.typstorage then 'storage ' ||
          case a.attstorage when 'p' then 'plain' when 'e' then 'external' when 'm' then 'main' else 'extended' end end,
        case when a.attnotnull then 'not null' end,
        case when a.attidentity <> '' then 'generated always as identity'
          when a.attgenerated <> '' then 'generated always as (' || pg_get_expr(d.adbin, d.adrelid) || ') stored'
          else 'default ' || pg_get_expr(d.adbin, d.adrelid) end)) order by a.attnum)
      from pg_attribute a join pg_type t on t.oid = a.atttypid left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
    array(select 'constraint ' || conname || ' ' || pg_get_constraintdef(oid) from pg_constraint
      where conrelid = c.oid and contype in ('p', 'u', 'f', 'c', 'x')
      order by array_position('{p,u,f,c,x}', contype::text), conname collate "C") as constraints,
    array(select format('create table %s partition of %s %s', inhrelid::regclass, c.relname, pg_get_expr(p.relpartbound, p.oid))
        from pg_inherits join pg_class p on p.oid = inhrelid where inhparent = c.oid order by 1)
      || array(select pg_get_indexdef(indexrelid) || coalesce(' -- ' || obj_description(indexrelid, 'pg_class'), '') from pg_index
        where indrelid = c.oid and not exists (select from pg_constraint where conindid = indexrelid) order by indexrelid::regclass::text collate "C")
      || array(select pg_get_triggerdef(oid) from pg_trigger where tgrelid = c.oid and not tgisinternal order by tgname collate "C") as statements
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v') and not c.relispartition
  order by c.relname collate "C"`;

/** Functions without their bodies, which are in src/server/**\/sql/. */
const FUNCTIONS = `
  select concat_ws(' ', 'create function ' || proname || '(' || pg_get_function_arguments(p.oid) || ')',
    'returns ' || pg_get_function_result(p.oid), 'language ' || lanname, case when prosecdef then 'security definer' end,
    'set ' || array_to_string(proconfig, ' set ')) as text
  from pg_proc p join pg_language l on l.oid = prolang where pronamespace = 'public'::regnamespace
  order by proname collate "C", p.oid`;

/** Writes PostgreSQL's keywords, which are in capitals, in lower case. Leaves names and texts in quotes unchanged. */
const lowerCase = (sql: string): string =>
  sql.replace(/'(?:[^']|'')*'|"[^"]*"|\b[A-Z]+\b/g, (word) =>
    /^['"]/.test(word) ? word : word.toLowerCase(),
  );

/** Replaces the schema of the database's only shard by `telemetry`, and leaves out defaults such as `public.` and `using btree`. */
const readable = (sql: string): string => {
  const tables = new RegExp(`\\b(on|of) (?:only )?(?:public\\.)?(${SCHEMA.spread.join('|')})\\b`, 'g');
  return lowerCase(sql)
    .replace(tables, '$1 telemetry.$2')
    .replace(/\bpublic\./g, '')
    .replaceAll(' using btree', '')
    .replaceAll("'::text", "'")
    .replace(/"(\w+)"/g, '$1')
    .replaceAll('timestamp with time zone', 'timestamptz');
};

const commented = (text: string, comment: string | null): string =>
  comment ? `${text} -- ${comment}` : text;

function tableText(table: Table): string {
  const { name, comment, query, partitioned, options, columns, constraints, statements } = table;
  const qualified = SCHEMA.spread.includes(name) ? `telemetry.${name}` : name;
  const head = comment ? `-- ${comment}\n` : '';
  if (query !== null) return `${head}create view ${qualified} as\n${query}\n`;
  const lines = [
    ...columns.map(({ text, comment }) => [readable(text), comment] as const),
    ...constraints.map((text) => [readable(text), null] as const),
  ].map(([text, comment], n, all) => commented(`  ${text}${n < all.length - 1 ? ',' : ''}`, comment));
  const end = `)${partitioned ? ` partition by ${readable(partitioned)}` : ''}${options ? ` with (${options})` : ''};`;
  const rest = statements.map((text) => {
    const [sql = '', about] = text.split(' -- ');
    return commented(`${readable(sql)};`, about ?? null);
  });
  return `${head}${[`create table ${qualified} (`, ...lines, end, ...rest].join('\n')}\n`;
}

/** Returns the schema of a database with one shard as readable SQL: tables in the order of their names, then functions. */
export async function schemaText(db: Database): Promise<string> {
  const { rows: tables } = await db.query<Table>(TABLES);
  const { rows: functions } = await db.query<{ text: string }>(FUNCTIONS);
  return [...tables.map(tableText), functions.map(({ text }) => `${readable(text)};\n`).join('')].join('\n');
}
