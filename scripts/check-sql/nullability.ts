import { filterTreeNodes, isNode, type TreeNode, type TreeValue } from './node-tree.ts';

/** Finds out from a parse tree which columns of a statement's result may be null. */

/**
 * `always`: the column is `null` itself, of any type. `unknown`: only the program can know, for example for a value from JSON or a
 * sub-select that may find no row.
 */
export type Nullability = 'never' | 'maybe' | 'always' | 'unknown';

/** The facts of the database's catalog that this analysis needs, by oid. */
export type Catalog = {
  /** Keys are `relid.attnum`: columns with `not null`. */
  readonly notNull: ReadonlySet<string>;
  /** Functions that return null for a null argument. */
  readonly strict: ReadonlySet<string>;
  /** Names of functions. */
  readonly functions: ReadonlyMap<string, string>;
};

/** Strict functions and operators that may return null for arguments that are not null. */
const LOSSY =
  /^(json|jsonb)_(object_field|array_element|extract_path)|^jsonb?_(query|path)|^(array_(length|lower|upper|position|ndims)|substring|regexp_(match|substr)|textregexsubstr|to_reg\w+|current_setting|lower_inf|split_part|obj_description|col_description|pg_get_\w+|nullif)$|^(range_lower|range_upper|lower|upper)_?range|^(to_date|to_timestamp)_?opt/;
/** Functions that are not strict and never return null. */
const TOTAL =
  /^(concat|concat_ws|jsonb?_build_(object|array)|format|num_nulls|num_nonnulls|now|clock_timestamp|gen_random_uuid|random|pg_backend_pid|pg_try_advisory_\w+|pg_current_wal_lsn|current_database|version)$/;
const COUNTS = /^(count|row_number|rank|dense_rank|ntile|cume_dist|percent_rank)$/;
const OF_ROWS =
  /^(min|max|sum|avg|array_agg|jsonb?_agg|jsonb?_object_agg|string_agg|bool_and|bool_or|every)$/;
const COLLECTS = /^(array_agg|jsonb?_agg|jsonb?_object_agg)$/;

const [SUBQUERY, JOIN, VALUES, CTE, GROUP] = ['1', '2', '5', '6', '9'];
const [UPDATE, INSERT] = ['2', '3'];

/** A query inside the queries around it, with the columns that its conditions exclude from being null. */
type Level = {
  readonly query: TreeNode;
  readonly outer: Level | undefined;
  readonly known: ReadonlySet<string>;
};

const text = (value: TreeValue | undefined): string => (typeof value === 'string' ? value : '');
const mayBeNull = (one: Nullability | undefined): boolean => one === 'maybe' || one === 'always';
const anyOf = (all: readonly Nullability[]): Nullability =>
  all.length > 0 && all.every((one) => one === 'always')
    ? 'always'
    : all.some(mayBeNull)
      ? 'maybe'
      : all.every((one) => one === 'never')
        ? 'never'
        : 'unknown';
const firstOf = (all: readonly Nullability[]): Nullability =>
  all.includes('never') ? 'never' : all.every(mayBeNull) ? 'maybe' : 'unknown';

/** Returns the nullability of each column of the result. */
export function nullabilities(query: TreeNode, catalog: Catalog): readonly Nullability[] {
  return new Reader(catalog).columnsOf(query, undefined);
}

/** Returns the numbers of the parameters that are stored unchanged in a column that is `not null`. */
export function notNullParameters(query: TreeNode, { notNull }: Catalog): ReadonlySet<number> {
  const found = new Set<number>();
  if (text(query.commandType) !== UPDATE && text(query.commandType) !== INSERT) return found;
  const target = filterTreeNodes(query.rtable)[Number(query.resultRelation) - 1];
  for (const { expr, resno } of filterTreeNodes(query.targetList)) {
    let value = expr;
    while (isNode(value) && /^(RELABELTYPE|COERCEVIAIO)$/.test(value.type)) value = value.arg;
    if (isNode(value) && value.type === 'PARAM' && notNull.has(`${text(target?.relid)}.${text(resno)}`))
      found.add(Number(value.paramid));
  }
  return found;
}

class Reader {
  readonly #catalog: Catalog;
  readonly #reading = new Set<TreeNode>();
  readonly #ids = new Map<TreeNode, number>();

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
  }

  columnsOf(query: TreeNode, outer: Level | undefined): readonly Nullability[] {
    if (this.#reading.has(query)) return [];
    this.#reading.add(query);
    try {
      if (isNode(query.setOperations))
        return this.#setOperation(query.setOperations, { query, outer, known: new Set() });
      const level: Level = { query, outer, known: new Set() };
      const inside = { ...level, known: this.#excluded(query.jointree, level) };
      const list = text(query.commandType) === '1' ? query.targetList : query.returningList;
      return filterTreeNodes(list)
        .filter(({ resjunk }) => resjunk !== 'true')
        .map(({ expr }) => this.#of(expr, inside));
    } finally {
      this.#reading.delete(query);
    }
  }

  #setOperation(operation: TreeNode, level: Level): readonly Nullability[] {
    const side = (node: TreeValue | undefined): readonly Nullability[] => {
      if (!isNode(node)) return [];
      if (node.type === 'SETOPERATIONSTMT') return this.#setOperation(node, level);
      const item = filterTreeNodes(level.query.rtable)[Number(node.rtindex) - 1];
      return isNode(item?.subquery) ? this.columnsOf(item.subquery, level) : [];
    };
    const [left, right] = [side(operation.larg), side(operation.rarg)];
    // In a recursive query, the columns of the recursive term are not known: they are as nullable as those of the first term.
    if (left.length === 0 || right.length === 0) return left.length > 0 ? left : right;
    return left.map((one, n) => anyOf([one, right[n] ?? 'unknown']));
  }

  #idOf(query: TreeNode): number {
    if (!this.#ids.has(query)) this.#ids.set(query, this.#ids.size);
    return this.#ids.get(query) as number;
  }

  /** Returns the query in which a variable is bound: `up` queries outside the query of `level`. */
  #levelOf(up: TreeValue | undefined, level: Level): Level {
    let at = level;
    for (let n = Number(up); n > 0 && at.outer; n -= 1) at = at.outer;
    return at;
  }

  /** Returns the columns that cannot be null in rows that satisfy a join tree: `query.rel.column`, and `query.rel` for its row. */
  #excluded(tree: TreeValue | undefined, level: Level): Set<string> {
    const found = new Set<string>();
    if (!isNode(tree)) return found;
    const add = (more: ReadonlySet<string>) => {
      for (const one of more) found.add(one);
    };
    if (tree.type === 'FROMEXPR')
      for (const item of filterTreeNodes(tree.fromlist)) add(this.#excluded(item, level));
    const isLeft = tree.jointype === '1';
    const isRight = tree.jointype === '3';
    if (tree.type === 'JOINEXPR') {
      if (isLeft || tree.jointype === '0') add(this.#excluded(tree.larg, level));
      if (isRight || tree.jointype === '0') add(this.#excluded(tree.rarg, level));
    }
    if (tree.type === 'FROMEXPR' || tree.jointype === '0') add(this.#implied(tree.quals, level, true));
    return found;
  }

  /** Returns the columns that are not null in rows in which a condition is true (`outcome` true) or false (`outcome` false). */
  #implied(condition: TreeValue | undefined, level: Level, outcome: boolean): Set<string> {
    const found = new Set<string>();
    if (!isNode(condition)) return found;
    if (condition.type === 'BOOLEXPR') {
      const operation = text(condition.boolop);
      const parts = filterTreeNodes(condition.args).map((arg) =>
        this.#implied(arg, level, operation === 'not' ? !outcome : outcome),
      );
      const isAll = operation === 'not' || (operation === 'and') === outcome;
      const [first = new Set<string>(), ...others] = parts;
      return isAll
        ? new Set(parts.flatMap((part) => [...part]))
        : new Set([...first].filter((one) => others.every((other) => other.has(one))));
    }
    if (condition.type === 'NULLTEST')
      return (condition.nulltesttype === '1') === outcome ? this.#needed(condition.arg, level) : found;
    if (condition.type === 'SUBLINK') return outcome ? this.#needed(condition.testexpr, level) : found;
    return this.#needed(condition, level);
  }

  /** Returns the columns that make an expression null when they are null. */
  #needed(expr: TreeValue | undefined, level: Level): Set<string> {
    if (!isNode(expr)) return new Set();
    if (expr.type === 'VAR') {
      const at = this.#levelOf(expr.varlevelsup, level);
      const rel = `${this.#idOf(at.query)}.${text(expr.varno)}`;
      return new Set([rel, `${rel}.${text(expr.varattno)}`]);
    }
    const called = text(expr.opfuncid) || text(expr.funcid);
    const isStrict = called
      ? this.#catalog.strict.has(called)
      : /^(RELABELTYPE|COERCEVIAIO|ARRAYCOERCEEXPR|BOOLEANTEST)$/.test(expr.type);
    if (!isStrict || expr.type === 'BOOLEANTEST') return new Set();
    const args = [...filterTreeNodes(expr.args), ...(isNode(expr.arg) ? [expr.arg] : [])];
    return new Set(args.flatMap((arg) => [...this.#needed(arg, level)]));
  }

  #with(level: Level, more: ReadonlySet<string>): Level {
    return more.size === 0 ? level : { ...level, known: new Set([...level.known, ...more]) };
  }

  #isKnown(key: string, level: Level): boolean {
    for (let at: Level | undefined = level; at; at = at.outer) if (at.known.has(key)) return true;
    return false;
  }

  #all(list: TreeValue | undefined, level: Level): readonly Nullability[] {
    return filterTreeNodes(list).map((arg) => this.#of(arg, level));
  }

  #of(expr: TreeValue | undefined, level: Level): Nullability {
    if (!isNode(expr)) return 'unknown';
    switch (expr.type) {
      case 'VAR':
        return this.#variable(expr, level);
      case 'CONST':
        return expr.constisnull === 'true' ? 'always' : 'never';
      case 'RELABELTYPE':
      case 'COERCEVIAIO':
      case 'ARRAYCOERCEEXPR':
      case 'COERCETODOMAIN':
      case 'COLLATEEXPR':
        return this.#of(expr.arg, level);
      case 'NULLTEST':
      case 'BOOLEANTEST':
      case 'DISTINCTEXPR':
      case 'ROWEXPR':
      case 'ARRAYEXPR':
      case 'SQLVALUEFUNCTION':
      case 'GROUPINGFUNC':
        return 'never';
      case 'NULLIFEXPR':
        return 'maybe';
      case 'COALESCE':
      case 'COALESCEEXPR':
      case 'MINMAX':
      case 'MINMAXEXPR':
        return firstOf(this.#all(expr.args, level));
      case 'FUNCEXPR':
      case 'OPEXPR':
        return this.#function(expr, level);
      case 'SCALARARRAYOPEXPR': {
        const [left] = this.#all(expr.args, level);
        return mayBeNull(left) ? 'maybe' : 'unknown';
      }
      case 'BOOLEXPR':
        return this.#boolean(expr, level);
      case 'CASE':
      case 'CASEEXPR':
        return this.#case(expr, level);
      case 'AGGREF':
        return this.#aggregate(expr, level);
      case 'WINDOWFUNC': {
        const name = this.#catalog.functions.get(text(expr.winfnoid)) ?? '';
        if (COUNTS.test(name)) return 'never';
        return /^(lag|lead)$/.test(name) && filterTreeNodes(expr.args).length < 3 ? 'maybe' : 'unknown';
      }
      case 'SUBLINK':
        return this.#sublink(expr, level);
      default:
        return 'unknown';
    }
  }

  #variable(expr: TreeNode, level: Level): Nullability {
    const at = this.#levelOf(expr.varlevelsup, level);
    const rel = `${this.#idOf(at.query)}.${text(expr.varno)}`;
    const column = text(expr.varattno);
    if (this.#isKnown(`${rel}.${column}`, level)) return 'never';
    const nulling = Array.isArray(expr.varnullingrels) ? expr.varnullingrels.length > 1 : false;
    if (nulling && !this.#isKnown(rel, level)) return 'maybe';
    const item = filterTreeNodes(at.query.rtable)[Number(expr.varno) - 1];
    return item ? this.#column(item, column, at) : 'unknown';
  }

  #column(item: TreeNode, column: string, level: Level): Nullability {
    const n = Number(column) - 1;
    const kind = text(item.rtekind);
    if (kind === '0') {
      if (n < 0) return 'never';
      if (item.relkind === 'v') return 'unknown';
      return this.#catalog.notNull.has(`${text(item.relid)}.${column}`) ? 'never' : 'maybe';
    }
    if (n < 0) return 'unknown';
    if (kind === SUBQUERY && isNode(item.subquery))
      return this.columnsOf(item.subquery, level)[n] ?? 'unknown';
    if (kind === JOIN) return this.#of(filterTreeNodes(item.joinaliasvars)[n], level);
    if (kind === GROUP) return this.#of(filterTreeNodes(item.groupexprs)[n], level);
    if (kind === VALUES && Array.isArray(item.values_lists))
      return anyOf(
        (item.values_lists as readonly TreeValue[]).map((row) => this.#of(filterTreeNodes(row)[n], level)),
      );
    if (kind === CTE) {
      const at = this.#levelOf(item.ctelevelsup, level);
      const found = filterTreeNodes(at.query.cteList).find(({ ctename }) => ctename === item.ctename);
      return isNode(found?.ctequery) ? (this.columnsOf(found.ctequery, at)[n] ?? 'unknown') : 'unknown';
    }
    return 'unknown';
  }

  #function(expr: TreeNode, level: Level): Nullability {
    const called = text(expr.opfuncid) || text(expr.funcid);
    const name = this.#catalog.functions.get(called) ?? '';
    if (TOTAL.test(name)) return 'never';
    if (!this.#catalog.strict.has(called)) return 'unknown';
    const args = this.#all(expr.args, level);
    if (args.some(mayBeNull)) return 'maybe';
    if (LOSSY.test(name)) return 'unknown';
    return args.every((one) => one === 'never') ? 'never' : 'unknown';
  }

  #boolean(expr: TreeNode, level: Level): Nullability {
    const args = filterTreeNodes(expr.args);
    const operation = text(expr.boolop);
    if (operation === 'not') return this.#of(args[0], level);
    // `x is not null and x > 3` is never null: an operand matters only in rows in which the operands before it do not decide.
    let inside = level;
    const parts: Nullability[] = [];
    for (const arg of args) {
      parts.push(this.#of(arg, inside));
      inside = this.#with(inside, this.#implied(arg, inside, operation === 'and'));
    }
    return anyOf(parts);
  }

  #case(expr: TreeNode, level: Level): Nullability {
    let inside = level;
    const results: Nullability[] = [];
    for (const when of filterTreeNodes(expr.args)) {
      results.push(this.#of(when.result, this.#with(inside, this.#implied(when.expr, inside, true))));
      // For later branches, only a condition of these two kinds counts as false; that of `case x when …` is of another kind.
      const isTest = isNode(when.expr) && /^(NULLTEST|BOOLEXPR)$/.test(when.expr.type);
      if (isTest) inside = this.#with(inside, this.#implied(when.expr, inside, false));
    }
    results.push(isNode(expr.defresult) ? this.#of(expr.defresult, inside) : 'always');
    return anyOf(results);
  }

  #aggregate(expr: TreeNode, level: Level): Nullability {
    const name = this.#catalog.functions.get(text(expr.aggfnoid)) ?? '';
    if (COUNTS.test(name)) return 'never';
    if (!OF_ROWS.test(name)) return 'unknown';
    const { query } = this.#levelOf(expr.agglevelsup, level);
    if (filterTreeNodes(query.groupClause).length === 0) return 'maybe';
    if (isNode(expr.aggfilter)) return 'maybe';
    const [first] = filterTreeNodes(expr.args);
    return COLLECTS.test(name) ? 'never' : this.#of(first?.expr, level);
  }

  #sublink(expr: TreeNode, level: Level): Nullability {
    const [EXISTS, ANY, SCALAR, ARRAY] = ['0', '2', '4', '6'];
    const kind = text(expr.subLinkType);
    if (kind === EXISTS || kind === ARRAY) return 'never';
    const query = expr.subselect;
    if (!isNode(query)) return 'unknown';
    if (kind === ANY) return 'unknown';
    if (kind !== SCALAR) return 'unknown';
    const [only = 'unknown'] = this.columnsOf(query, level);
    const hasOneRow =
      query.hasAggs === 'true' &&
      filterTreeNodes(query.groupClause).length === 0 &&
      !isNode(query.havingQual);
    return hasOneRow || mayBeNull(only) ? only : 'unknown';
  }
}
