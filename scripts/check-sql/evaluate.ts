import {
  type CallExpression,
  type Expression,
  type Identifier,
  type Node,
  SyntaxKind,
} from 'typescript/unstable/ast';
import { type Type, TypeFlags, type UnionType } from 'typescript/unstable/sync';
import {
  type AnySyntaxNode,
  enclosingFunctionOf,
  type FunctionNode,
  isFunction,
  locationOf,
  type ServerSource,
  walk,
} from './program.ts';

/**
 * Determines the texts of SQL statements without running the program, by evaluating TypeScript expressions. Values that depend on the
 * database or on a caller are unknown, and both outcomes of a condition on an unknown value are tried. This is enough, because the texts
 * are templates of constants and of functions that return templates.
 */

/** A value that is known only when the program runs. */
export class UnknownValue {
  /** Two unknown values with the same id are equal within one evaluation. */
  readonly id: string;
  /** Expression or name that has the type of the value. */
  readonly node: Node | undefined;
  /** True if the value stands for any number of elements of an array. */
  readonly isRest: boolean;
  constructor(id: string, node: Node | undefined, isRest = false) {
    this.id = id;
    this.node = node;
    this.isRest = isRest;
  }
}

class Closure {
  readonly node: FunctionNode;
  readonly frame: Frame;
  constructor(node: FunctionNode, frame: Frame) {
    this.node = node;
    this.frame = frame;
  }
}

/** The variables of one call of a function. */
type Frame = {
  readonly owner: FunctionNode | undefined;
  readonly outer: Frame | undefined;
  readonly values: Map<Node, unknown>;
};

/** Thrown to leave a function with its return value. */
class Returned {
  readonly value: unknown;
  constructor(value: unknown) {
    this.value = value;
  }
}
/** Thrown on a path that cannot reach the statement. */
class DeadPath extends Error {}
/** Thrown if a text depends on the arguments of a function, so that the text must be evaluated once per call of that function. */
class NeedsCaller extends Error {
  readonly called: FunctionNode;
  constructor(called: FunctionNode) {
    super();
    this.called = called;
  }
}
/** Thrown if the text of a statement cannot be determined. */
export class UnresolvedStatement extends Error {}
/** Thrown for a function with a statement that cannot be evaluated, such as a `while` loop. */
class Unsupported extends UnresolvedStatement {}

/** Texts to use for unknown values, which come from the database or from code that is not evaluated. The pattern matches the value's id. */
const SAMPLES: readonly (readonly [RegExp, string])[] = [
  [/^new Date\(/, '2020-01-01'],
  [/\bknown\b.*\.column$/, 'speed'],
  [/^KNOWN\.get\(.*\.column$/, 'speed'],
];

const MAX_RUNS = 400;
const MAX_ID_CHARACTERS = 1_000;
const MAX_DEPTH = 60;

export type StatementVariant = {
  readonly text: string;
  /** Values of the statement's parameters, each known or an UnknownValue; undefined if the list of values is unknown. */
  readonly values: readonly unknown[] | undefined;
  /** The call of the function around the statement that leads to this text; undefined if the text does not depend on the caller. */
  readonly caller: CallExpression | undefined;
};

/**
 * Returns the texts that a call of `query` may send, each with its parameters. Takes each side of each condition at least once.
 * @throws UnresolvedStatement if a text cannot be determined
 */
export function statementVariants(source: ServerSource, call: CallExpression): readonly StatementVariant[] {
  const needed = new Set<FunctionNode>();
  for (;;)
    try {
      return allPaths(source, call, needed);
    } catch (error) {
      if (!(error instanceof NeedsCaller) || needed.has(error.called)) throw error;
      needed.add(error.called);
    }
}

function allPaths(
  source: ServerSource,
  call: CallExpression,
  needed: ReadonlySet<FunctionNode>,
): readonly StatementVariant[] {
  const found = new Map<string, StatementVariant>();
  const known = new Set<string>();
  const left: ReadonlyMap<string, number>[] = [new Map()];
  let failure: unknown;
  for (let run = 0; left.length > 0; run += 1) {
    if (run > MAX_RUNS) throw new UnresolvedStatement('too many variants');
    const path = new Path(source, left.shift() as ReadonlyMap<string, number>, needed);
    try {
      const variant = path.variant(call);
      const key = `${variant.text} ${variant.caller ? locationOf(variant.caller) : ''}`;
      if (!found.has(key)) found.set(key, variant);
    } catch (error) {
      if (error instanceof NeedsCaller) throw error;
      if (!(error instanceof DeadPath)) failure ??= error;
    }
    const before = new Map<string, number>();
    for (const [key, { count, taken }] of path.choices) {
      if (!known.has(key))
        for (let other = 0; other < count; other += 1)
          if (other !== taken) left.push(new Map([...before, [key, other]]));
      known.add(key);
      before.set(key, taken);
    }
  }
  if (failure) throw failure;
  if (found.size === 0) throw new UnresolvedStatement('no path reaches the statement');
  return [...found.values()];
}

/** One evaluation of a statement, which takes one side of each condition. */
class Path {
  readonly choices = new Map<string, { readonly count: number; readonly taken: number }>();
  readonly #source: ServerSource;
  readonly #forced: ReadonlyMap<string, number>;
  readonly #needed: ReadonlySet<FunctionNode>;
  readonly #root: Frame = { owner: undefined, outer: undefined, values: new Map() };
  /** The nodes inside functions at which the evaluation begins: the statement, and the functions and calls that enclose it. */
  readonly #sites: Node[] = [];
  #caller: CallExpression | undefined;
  #mayChoose = true;
  #depth = 0;

  constructor(source: ServerSource, forced: ReadonlyMap<string, number>, needed: ReadonlySet<FunctionNode>) {
    this.#source = source;
    this.#forced = forced;
    this.#needed = needed;
  }

  variant(call: CallExpression): StatementVariant {
    const frame = this.#enter(call);
    const [first, second] = call.arguments;
    if (!first) throw new UnresolvedStatement('no text');
    let asked = this.#value(first, frame);
    let values: unknown;
    if (isRecord(asked)) ({ text: asked, values } = asked);
    const text = this.#text(asked);
    this.#mayChoose = false;
    if (second) values = this.#value(second, frame);
    return { text, values: Array.isArray(values) ? values : second ? undefined : [], caller: this.#caller };
  }

  /** Returns the frame of the function around a node, for an evaluation that begins at this node. */
  #enter(node: Node): Frame {
    this.#sites.push(node);
    const owner = enclosingFunctionOf(node);
    if (!owner) return this.#root;
    const outer = this.#enter(owner);
    const frame: Frame = { owner, outer, values: new Map() };
    if (this.#needed.has(owner)) {
      const calls = this.#source.callsOf(owner);
      const call = calls[this.#choose(`calls of ${locationOf(owner)}`, calls.length)];
      if (!call) throw new UnresolvedStatement(`no call of ${locationOf(owner)} was found`);
      this.#caller = call;
      this.#bind(owner, call.arguments, this.#enter(call), frame);
    }
    return frame;
  }

  #bind(called: FunctionNode, given: readonly Node[], from: Frame, frame: Frame): void {
    this.#bindValues(called, this.#items(given, from), frame);
  }

  #bindValues(called: FunctionNode, given: readonly unknown[], frame: Frame): void {
    called.parameters.forEach((parameter, n) => {
      const { dotDotDotToken, initializer } = parameter as AnySyntaxNode;
      if (dotDotDotToken) frame.values.set(parameter, given.slice(n));
      else {
        let value = given[n];
        if (value === undefined && initializer) value = this.#value(initializer, frame);
        frame.values.set(parameter, value);
      }
    });
  }

  /** Chooses one of `count` outcomes, the same one at each call with this key. @returns 0 … count - 1 */
  #choose(key: string, count: number): number {
    const before = this.choices.get(key);
    if (before) return before.taken;
    if (!this.#mayChoose) throw new UnresolvedStatement('a condition');
    const taken = Math.min(this.#forced.get(key) ?? 0, count - 1);
    this.choices.set(key, { count, taken });
    return taken;
  }

  #isTrue(value: unknown): boolean {
    if (!(value instanceof UnknownValue)) return Boolean(value);
    return this.#choose(`truth of ${value.id}`, 2) === 0;
  }

  /** Chooses a literal for an unknown value whose type is a union of literals. Returns any other value unchanged. */
  #pick(value: unknown): unknown {
    if (!(value instanceof UnknownValue) || !value.node) return value;
    const literals = this.#literals(value.node);
    if (!literals || literals.length === 0) return value;
    return literals[this.#choose(`value of ${value.id}`, literals.length)];
  }

  #literals(node: Node): unknown[] | undefined {
    const type = this.#source.checker.getTypeAtLocation(node);
    const types = type?.isUnionType() ? (type as UnionType).getTypes() : type ? [type] : [];
    const found: unknown[] = [];
    for (const one of types) {
      if (one.flags & (TypeFlags.Null | TypeFlags.Undefined)) continue;
      if (!one.isLiteralType()) return undefined;
      found.push((one as Type & { value: unknown }).value);
    }
    return found.sort();
  }

  /** Converts a value to the text that it becomes in a statement. */
  #text(value: unknown): string {
    const picked = this.#pick(value);
    if (picked instanceof Date) return picked.toISOString();
    if (Array.isArray(picked)) return picked.map((one) => this.#text(one)).join(',');
    if (!(picked instanceof UnknownValue)) {
      // Ends this path, because the program would return or throw before it put `undefined` into a statement.
      if (picked === undefined) throw new DeadPath();
      if (typeof picked === 'object' || picked instanceof Closure)
        throw new UnresolvedStatement(`a text from ${JSON.stringify(picked)}`);
      return String(picked);
    }
    const type = picked.node && this.#source.checker.getTypeAtLocation(picked.node);
    if (type && (type.flags & (TypeFlags.Number | TypeFlags.BigInt)) > 0) return '1';
    const sample = SAMPLES.find(([pattern]) => pattern.test(picked.id));
    if (sample) return sample[1];
    if (this.#mayChoose) this.#askCallers(picked);
    throw new UnresolvedStatement(`the text ${picked.id}`);
  }

  /** Throws NeedsCaller if the value depends on a parameter, so that the evaluation starts again with the arguments of each call. */
  #askCallers(value: UnknownValue): void {
    for (const site of this.#sites) {
      const owner = enclosingFunctionOf(site);
      if (
        owner &&
        !this.#needed.has(owner) &&
        this.#source.callsOf(owner).length > 0 &&
        value.id.includes(`(${locationOf(owner)})`)
      )
        throw new NeedsCaller(owner);
    }
  }

  #unknown(node: Node, of: readonly unknown[] = []): UnknownValue {
    const ids = of.filter((one) => one instanceof UnknownValue).map((one) => (one as UnknownValue).id);
    const id = `${node.getText().slice(0, 60)} at ${locationOf(node)}${ids.length > 0 ? ` of ${ids.join(', ')}` : ''}`;
    return new UnknownValue(id.slice(0, MAX_ID_CHARACTERS), node);
  }

  /** Evaluates a list of expressions, such as arguments, and expands the spreads in it. */
  #items(list: readonly Node[], frame: Frame): unknown[] {
    return list.flatMap((item) => {
      if (item.kind !== SyntaxKind.SpreadElement) return [this.#argument(item, frame)];
      const { expression } = item as AnySyntaxNode;
      const spread = this.#value(expression, frame);
      return asList(spread) ?? this.#elements(spread, expression);
    });
  }

  /** Evaluates an argument. If that fails, returns an unknown value, which matters only if it becomes part of the statement's text. */
  #argument(node: Node, frame: Frame): unknown {
    try {
      return this.#value(node, frame);
    } catch (error) {
      if (error instanceof UnresolvedStatement) return this.#unknown(node);
      throw error;
    }
  }

  /** Returns one unknown element, which stands for any number of elements of an unknown array. */
  #elements(value: unknown, node: Node): unknown[] {
    const id = value instanceof UnknownValue ? value.id : locationOf(node);
    return [new UnknownValue(`element of ${id}`, undefined, true)];
  }

  #value(node: Node, frame: Frame): unknown {
    try {
      this.#depth += 1;
      if (this.#depth > MAX_DEPTH * 10) throw new UnresolvedStatement('too deep');
      return this.#evaluate(node, frame);
    } catch (error) {
      if (error instanceof UnresolvedStatement && !this.#mayChoose) return this.#unknown(node);
      throw error;
    } finally {
      this.#depth -= 1;
    }
  }

  #evaluate(node: AnySyntaxNode, frame: Frame): unknown {
    switch (node.kind) {
      case SyntaxKind.StringLiteral:
      case SyntaxKind.NoSubstitutionTemplateLiteral:
        return node.text;
      case SyntaxKind.NumericLiteral:
        return Number(node.text);
      case SyntaxKind.TrueKeyword:
        return true;
      case SyntaxKind.FalseKeyword:
        return false;
      case SyntaxKind.NullKeyword:
        return null;
      case SyntaxKind.RegularExpressionLiteral: {
        const [, pattern, flags] = /^\/(.*)\/(\w*)$/s.exec(node.text) as unknown as [string, string, string];
        return new RegExp(pattern, flags);
      }
      case SyntaxKind.ParenthesizedExpression:
      case SyntaxKind.SatisfiesExpression:
        return this.#value(node.expression, frame);
      case SyntaxKind.NonNullExpression:
      case SyntaxKind.AwaitExpression:
      case SyntaxKind.AsExpression: {
        const value = this.#value(node.expression, frame);
        return value instanceof UnknownValue ? new UnknownValue(value.id, node) : value;
      }
      case SyntaxKind.TemplateExpression: {
        let text = node.head.text;
        for (const { expression, literal } of node.templateSpans)
          text += this.#text(this.#value(expression, frame)) + literal.text;
        return text;
      }
      case SyntaxKind.Identifier:
        return this.#variable(node, frame);
      case SyntaxKind.ArrowFunction:
      case SyntaxKind.FunctionExpression:
        return new Closure(node, frame);
      case SyntaxKind.ArrayLiteralExpression:
        return this.#items(node.elements, frame);
      case SyntaxKind.ObjectLiteralExpression:
        return this.#object(node, frame);
      case SyntaxKind.ConditionalExpression:
        return this.#isTrue(this.#value(node.condition, frame))
          ? this.#value(node.whenTrue, frame)
          : this.#value(node.whenFalse, frame);
      case SyntaxKind.PropertyAccessExpression:
        return this.#property(this.#value(node.expression, frame), node.name.text, node);
      case SyntaxKind.ElementAccessExpression: {
        const of = this.#value(node.expression, frame);
        const key = this.#pick(this.#value(node.argumentExpression, frame));
        if (of instanceof UnknownValue || key instanceof UnknownValue) return this.#unknown(node, [of, key]);
        return this.#property(of, String(key), node);
      }
      case SyntaxKind.PrefixUnaryExpression:
        return this.#unary(node, frame);
      case SyntaxKind.BinaryExpression:
        return this.#binary(node, frame);
      case SyntaxKind.TypeOfExpression: {
        const value = this.#value(node.expression, frame);
        return value instanceof UnknownValue ? this.#unknown(node, [value]) : typeof value;
      }
      case SyntaxKind.CallExpression:
        return this.#call(node, frame);
      case SyntaxKind.NewExpression:
        return this.#construct(node, frame);
      default:
        return this.#unknown(node);
    }
  }

  #object(node: AnySyntaxNode, frame: Frame): unknown {
    const made: Record<string, unknown> = {};
    for (const property of node.properties) {
      if (property.kind === SyntaxKind.SpreadAssignment) {
        const spread = this.#value(property.expression, frame);
        if (spread instanceof UnknownValue) return this.#unknown(node, [spread]);
        Object.assign(made, spread);
        continue;
      }
      const { name } = property;
      const key =
        name.kind === SyntaxKind.ComputedPropertyName
          ? this.#text(this.#value(name.expression, frame))
          : name.text;
      if (property.kind === SyntaxKind.PropertyAssignment)
        made[key] = this.#value(property.initializer, frame);
      else if (property.kind === SyntaxKind.ShorthandPropertyAssignment)
        made[key] = this.#variable(name, frame);
      else made[key] = new Closure(property, frame);
    }
    return made;
  }

  #property(of: unknown, name: string, node: AnySyntaxNode): unknown {
    if (of instanceof UnknownValue) return new UnknownValue(`${of.id}.${name}`, node);
    if (of === undefined || of === null) {
      if (node.questionDotToken) return undefined;
      throw new DeadPath();
    }
    return (of as Record<string, unknown>)[name];
  }

  #unary(node: AnySyntaxNode, frame: Frame): unknown {
    const value = this.#value(node.operand, frame);
    if (node.operator === SyntaxKind.ExclamationToken)
      return value instanceof UnknownValue && !this.#mayChoose
        ? this.#unknown(node, [value])
        : !this.#isTrue(value);
    if (value instanceof UnknownValue) return this.#unknown(node, [value]);
    return node.operator === SyntaxKind.MinusToken ? -(value as number) : +(value as number);
  }

  #binary(node: AnySyntaxNode, frame: Frame): unknown {
    const operator = node.operatorToken.kind as SyntaxKind;
    if (operator === SyntaxKind.EqualsToken || operator === SyntaxKind.PlusEqualsToken) {
      const given = this.#value(node.right, frame);
      const declared = this.#source.declarationOf(node.left);
      if (!declared) return this.#unknown(node);
      const owner = this.#ownerOf(declared, frame);
      const value =
        operator === SyntaxKind.EqualsToken
          ? given
          : this.#text(this.#variable(node.left, frame)) + this.#text(given);
      owner.values.set(declared, value);
      return value;
    }
    const left = this.#value(node.left, frame);
    const later = () => this.#value(node.right, frame);
    if (operator === SyntaxKind.AmpersandAmpersandToken) {
      if (left instanceof UnknownValue && !this.#mayChoose) return this.#unknown(node, [left]);
      return this.#isTrue(left) ? later() : left instanceof UnknownValue ? undefined : left;
    }
    if (operator === SyntaxKind.BarBarToken) {
      if (left instanceof UnknownValue && !this.#mayChoose) return this.#unknown(node, [left]);
      return this.#isTrue(left) ? left : later();
    }
    if (operator === SyntaxKind.QuestionQuestionToken) {
      if (!(left instanceof UnknownValue)) return left ?? later();
      if (!this.#mayChoose) return this.#unknown(node, [left]);
      return this.#choose(`presence of ${left.id}`, 2) === 0 ? left : later();
    }
    const right = later();
    if (left instanceof UnknownValue || right instanceof UnknownValue) {
      const isEqual = operator === SyntaxKind.EqualsEqualsEqualsToken;
      const isOther = operator === SyntaxKind.ExclamationEqualsEqualsToken;
      if ((isEqual || isOther) && this.#mayChoose) {
        const [one, other] = left instanceof UnknownValue ? [left, right] : [right as UnknownValue, left];
        if (other === undefined || other === null)
          return (this.#choose(`presence of ${one.id}`, 2) === 0) !== isEqual;
        const picked = this.#pick(one);
        if (!(picked instanceof UnknownValue) && !(other instanceof UnknownValue))
          return (picked === other) === isEqual;
      }
      if (operator === SyntaxKind.PlusToken && (typeof left === 'string' || typeof right === 'string'))
        return this.#text(left) + this.#text(right);
      return this.#unknown(node, [left, right]);
    }
    return OPERATORS[operator]?.(left as never, right as never) ?? this.#unknown(node);
  }

  /** Calls a function that the program or JavaScript defines. */
  #call(node: AnySyntaxNode, frame: Frame): unknown {
    const { expression } = node;
    if (expression.kind === SyntaxKind.PropertyAccessExpression) {
      const of = this.#value(expression.expression, frame);
      if (of === undefined || of === null) {
        if (expression.questionDotToken) return undefined;
        throw new DeadPath();
      }
      const name: string = expression.name.text;
      if (of instanceof UnknownValue) return this.#callUnknown(of, name, node, frame);
      const method = (of as Record<string, unknown>)[name];
      if (method instanceof Closure) return this.#run(method, this.#items(node.arguments, frame));
      if (typeof method !== 'function') return this.#unknown(node);
      return this.#native(
        of,
        method as (...given: unknown[]) => unknown,
        name,
        node,
        this.#items(node.arguments, frame),
      );
    }
    const called = this.#value(expression, frame);
    const given = this.#items(node.arguments, frame);
    if (called instanceof Closure) return this.#run(called, given, node);
    if (typeof called === 'function')
      return this.#native(undefined, called as (...given: unknown[]) => unknown, '', node, given);
    if (called instanceof UnknownValue) return this.#unknown(node, [called, ...given]);
    throw new DeadPath();
  }

  #native(
    of: unknown,
    method: (...given: unknown[]) => unknown,
    name: string,
    node: Node,
    given: unknown[],
  ): unknown {
    if (name === 'join' && Array.isArray(of))
      return of.map((one) => this.#text(one)).join(this.#text(given[0] ?? ','));
    const isPredicate = ['filter', 'some', 'every', 'find', 'findIndex'].includes(name);
    const opened = given.map((one) =>
      one instanceof Closure
        ? (...args: unknown[]) => {
            const result = this.#run(one, args);
            // Keeps every element whose test is unknown, because one variant per subset would be too many.
            if (name === 'filter' && result instanceof UnknownValue) return true;
            return isPredicate ? this.#isTrue(result) : result;
          }
        : one,
    );
    if (name === 'slice' && Array.isArray(of) && given.some((one) => one instanceof UnknownValue))
      return [...of];
    if (name !== 'push' && opened.some((one) => one instanceof UnknownValue))
      return this.#unknown(node, given);
    const uses = of ?? given[0];
    if (name === 'includes' && Array.isArray(of) && of.some((one) => one instanceof UnknownValue))
      return this.#unknown(node, given);
    if (typeof uses === 'object' && uses !== null && uses instanceof UnknownValue)
      return this.#unknown(node, given);
    try {
      return method.apply(of, opened);
    } catch (error) {
      if (error instanceof TypeError || error instanceof RangeError) return this.#unknown(node, given);
      throw error;
    }
  }

  /** Calls a method of an unknown value. A callback is called once, with an unknown element. */
  #callUnknown(of: UnknownValue, name: string, node: AnySyntaxNode, frame: Frame): unknown {
    const [first] = node.arguments;
    if (['map', 'flatMap', 'filter'].includes(name) && first) {
      const callback = this.#value(first, frame);
      if (callback instanceof Closure) {
        if (name === 'filter') return new UnknownValue(`${of.id}.filter`, node);
        const [parameter] = callback.node.parameters as AnySyntaxNode[];
        const element = new UnknownValue(`element of ${of.id}`, parameter?.name, true);
        const result = this.#run(callback, [element, 0]);
        return Array.isArray(result) && name === 'flatMap' ? result : [result];
      }
    }
    if (name === 'toISOString') return new Date(0).toISOString();
    return new UnknownValue(`${of.id}.${name}() at ${locationOf(node)}`, node);
  }

  #construct(node: AnySyntaxNode, frame: Frame): unknown {
    const made = node.expression.getText();
    const given = this.#items(node.arguments ?? [], frame);
    if (given.some((one) => one instanceof UnknownValue)) return this.#unknown(node, given);
    if (made === 'Map') return new Map(given[0] as never);
    if (made === 'Set') return new Set(given[0] as never);
    return this.#unknown(node);
  }

  #run({ node, frame: outer }: Closure, given: readonly unknown[], call?: Node): unknown {
    const frame: Frame = { owner: node, outer, values: new Map() };
    // The result of an async function is known only when the program runs.
    if (!node.body || this.#isLater(node)) return this.#unknown(call ?? node, given);
    this.#bindValues(node, given, frame);
    if (node.body.kind !== SyntaxKind.Block) return this.#value(node.body, frame);
    try {
      this.#execute(node.body, frame);
    } catch (error) {
      if (error instanceof Returned) return error.value;
      if (error instanceof Unsupported && call) return this.#unknown(call, given);
      throw error;
    }
    return undefined;
  }

  #isLater(called: AnySyntaxNode): boolean {
    if (called.asteriskToken || called.modifiers?.some(({ kind }: Node) => kind === SyntaxKind.AsyncKeyword))
      return true;
    return /^(Promise|Answer|AsyncGenerator)\b/.test(called.type?.getText() ?? '');
  }

  #execute(node: AnySyntaxNode, frame: Frame): void {
    switch (node.kind) {
      case SyntaxKind.Block:
        for (const statement of node.statements) this.#execute(statement, frame);
        return;
      case SyntaxKind.VariableStatement:
        for (const declared of node.declarationList.declarations)
          if (declared.initializer) frame.values.set(declared, this.#value(declared.initializer, frame));
        return;
      case SyntaxKind.ExpressionStatement:
        this.#value(node.expression, frame);
        return;
      case SyntaxKind.ReturnStatement:
        throw new Returned(node.expression && this.#value(node.expression, frame));
      case SyntaxKind.ThrowStatement:
        throw new DeadPath();
      case SyntaxKind.IfStatement:
        if (this.#isTrue(this.#value(node.expression, frame))) this.#execute(node.thenStatement, frame);
        else if (node.elseStatement) this.#execute(node.elseStatement, frame);
        return;
      case SyntaxKind.ForOfStatement: {
        const list = this.#value(node.expression, frame);
        const [declared] = node.initializer.declarations;
        for (const one of asList(list) ?? [this.#parameter(declared)]) {
          frame.values.set(declared, one);
          walk(declared.name, (part) => void frame.values.delete(part));
          this.#execute(node.statement, frame);
        }
        return;
      }
      case SyntaxKind.SwitchStatement: {
        const value = this.#pick(this.#value(node.expression, frame));
        const { clauses } = node.caseBlock;
        const at =
          value instanceof UnknownValue
            ? this.#choose(`case of ${value.id}`, clauses.length)
            : clauses.findIndex(
                (clause: AnySyntaxNode) =>
                  !clause.expression || this.#value(clause.expression, frame) === value,
              );
        for (const clause of clauses.slice(at < 0 ? clauses.length : at))
          for (const statement of clause.statements) {
            if (statement.kind === SyntaxKind.BreakStatement) return;
            this.#execute(statement, frame);
          }
        return;
      }
      case SyntaxKind.TryStatement:
        this.#execute(node.tryBlock, frame);
        return;
      case SyntaxKind.FunctionDeclaration:
      case SyntaxKind.TypeAliasDeclaration:
      case SyntaxKind.EmptyStatement:
        return;
      default:
        throw new Unsupported(`a statement at ${locationOf(node)}`);
    }
  }

  /** Returns the frame of the function that declares a variable. */
  #ownerOf(declared: Node, frame: Frame): Frame {
    let owner = enclosingFunctionOf(declared);
    // A parameter belongs to the function that declares it.
    for (let at: Node = declared; at && !isFunction(at); at = at.parent)
      if (at.kind === SyntaxKind.Parameter) owner = at.parent as FunctionNode;
    for (let at: Frame | undefined = frame; at; at = at.outer) if (at.owner === owner) return at;
    return this.#root;
  }

  #variable(name: Identifier, frame: Frame): unknown {
    if (name.text === 'undefined') return undefined;
    const declared = this.#source.declarationOf(name);
    if (!declared) return this.#unknown(name);
    if (declared.getSourceFile().fileName.endsWith('.d.ts'))
      return (globalThis as Record<string, unknown>)[name.text] ?? this.#unknown(name);
    const value = this.#declared(declared, this.#ownerOf(declared, frame));
    // Takes the type of the value from the name's use, where it may be narrower than at the declaration.
    const isOwn =
      declared.kind !== SyntaxKind.Parameter ||
      (value instanceof UnknownValue && (declared as { name?: Node }).name === value.node);
    return value instanceof UnknownValue && value.node && isOwn && !value.isRest
      ? new UnknownValue(value.id, name, value.isRest)
      : value;
  }

  #declared(declared: AnySyntaxNode, frame: Frame): unknown {
    if (frame.values.has(declared)) return frame.values.get(declared);
    const value = this.#initial(declared, frame);
    frame.values.set(declared, value);
    if (declared.kind === SyntaxKind.VariableDeclaration) this.#replay(declared, frame);
    return frame.values.get(declared);
  }

  #initial(declared: AnySyntaxNode, frame: Frame): unknown {
    switch (declared.kind) {
      case SyntaxKind.VariableDeclaration: {
        const loop = declared.parent.parent;
        if (loop.kind === SyntaxKind.ForOfStatement) {
          const list = asList(this.#value(loop.expression, frame));
          if (list && list.length > 0 && !list.some((one) => one instanceof UnknownValue && one.isRest))
            return list[this.#choose(`element at ${locationOf(declared)}`, list.length)];
          return this.#parameter(declared);
        }
        return declared.initializer ? this.#value(declared.initializer, frame) : this.#parameter(declared);
      }
      case SyntaxKind.BindingElement:
        return this.#bound(declared, frame);
      case SyntaxKind.FunctionDeclaration:
        return new Closure(declared, frame);
      default:
        return this.#parameter(declared);
    }
  }

  /** Returns an unknown value for a parameter. Its id names the function whose callers know the value. */
  #parameter(declared: AnySyntaxNode): UnknownValue {
    const owner = enclosingFunctionOf(declared.name ?? declared);
    return new UnknownValue(`${declared.name?.getText()} (${owner ? locationOf(owner) : ''})`, declared.name);
  }

  /** Returns the value that destructuring assigns to a name. */
  #bound(declared: AnySyntaxNode, frame: Frame): unknown {
    const pattern = declared.parent;
    const whole = this.#declared(pattern.parent, frame);
    const { name, propertyName, initializer, dotDotDotToken } = declared;
    if (whole instanceof UnknownValue) {
      const key =
        pattern.kind === SyntaxKind.ArrayBindingPattern
          ? pattern.elements.indexOf(declared)
          : (propertyName ?? name).getText();
      return new UnknownValue(`${whole.id}.${key}`, name);
    }
    if (dotDotDotToken) return this.#unknown(name);
    if (whole === undefined || whole === null) throw new DeadPath();
    const value =
      pattern.kind === SyntaxKind.ArrayBindingPattern
        ? Symbol.iterator in (whole as object)
          ? [...(whole as Iterable<unknown>)][pattern.elements.indexOf(declared)]
          : this.#unknown(name)
        : (whole as Record<string, unknown>)[(propertyName ?? name).text];
    return value === undefined && initializer ? this.#value(initializer, frame) : value;
  }

  /** Executes the statements that change a variable, between its declaration and the node at which the evaluation began. */
  #replay(declared: AnySyntaxNode, frame: Frame): void {
    const statement = declared.parent.parent;
    const block = statement.parent;
    const at = this.#sites.find((site) => enclosingFunctionOf(site) === frame.owner);
    if (!at || !block?.statements || statement.kind !== SyntaxKind.VariableStatement) return;
    const name = declared.name.text;
    for (const later of block.statements) {
      if (later.pos <= statement.pos || later.end > at.pos || !changes(later, name)) continue;
      try {
        this.#execute(later, frame);
      } catch (error) {
        if (error instanceof Returned) throw new DeadPath();
        throw error;
      }
    }
  }
}

/** Returns whether a statement assigns to the variable `name`, or calls its method push(). */
function changes(statement: Node, name: string): boolean {
  let found = false;
  walk(statement, (node: AnySyntaxNode) => {
    if (node.kind !== SyntaxKind.Identifier || node.text !== name) return;
    const { parent } = node;
    if (
      parent.kind === SyntaxKind.PropertyAccessExpression &&
      parent.expression === node &&
      parent.name.text === 'push'
    )
      found = true;
    if (
      parent.kind === SyntaxKind.BinaryExpression &&
      parent.left === node &&
      /=$/.test(parent.operatorToken.getText())
    )
      found = true;
  });
  return found;
}

/** Returns the elements of an array, set, map or iterator; undefined: the value is unknown. */
const asList = (value: unknown): readonly unknown[] | undefined =>
  typeof value === 'object' && value !== null && Symbol.iterator in value
    ? Array.isArray(value)
      ? value
      : [...(value as Iterable<unknown>)]
    : undefined;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

const OPERATORS: Partial<Record<SyntaxKind, (left: never, right: never) => unknown>> = {
  [SyntaxKind.PlusToken]: (left, right) => left + right,
  [SyntaxKind.MinusToken]: (left, right) => left - right,
  [SyntaxKind.AsteriskToken]: (left, right) => left * right,
  [SyntaxKind.SlashToken]: (left, right) => left / right,
  [SyntaxKind.PercentToken]: (left, right) => left % right,
  [SyntaxKind.AsteriskAsteriskToken]: (left, right) => left ** right,
  [SyntaxKind.EqualsEqualsEqualsToken]: (left, right) => left === right,
  [SyntaxKind.ExclamationEqualsEqualsToken]: (left, right) => left !== right,
  [SyntaxKind.LessThanToken]: (left, right) => left < right,
  [SyntaxKind.GreaterThanToken]: (left, right) => left > right,
  [SyntaxKind.LessThanEqualsToken]: (left, right) => left <= right,
  [SyntaxKind.GreaterThanEqualsToken]: (left, right) => left >= right,
};

export type { Expression };
