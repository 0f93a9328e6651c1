import type { RunInput, Schema } from "@bailiwick/core";
import type { Composition, CompositionOptions } from "./composition.ts";
import type { AnswerOf, AnyNode, Fits, InputOptions, NodeOf, Origin, ResultOf, RunnableNode } from "./node-types.ts";

/** Options of `pipeline`: its input, name, store and limits. */
export type PipelineOptions<Parsed = string, Given = RunInput> = CompositionOptions & InputOptions<Parsed, Given>;

/**
 * Runs nodes one after the other: each gets the value of the one before it, and the value of the last one is the answer.
 * The types of up to eight nodes are checked.
 *
 * @throws ConfigurationError `EMPTY_COMPOSITION` without a node, `UNKNOWN_OPTION` for an option of another name,
 *   `INVALID_OPTION` for a value that is not a node.
 */
export interface Pipeline {
  /**
   * @param options - The settings of the workflow.
   * @param a - The first node.
   */
  <A, NA, P = string, G = RunInput>(
    options: PipelineOptions<P, G>,
    a: NA & NodeOf<P, A> & Fits<NoInfer<P>, NA>,
  ): Composition<NoInfer<G>, ResultOf<NA, A>>;
  /**
   * @param options - The settings of the workflow.
   * @param a - The first node.
   * @param b - The second node.
   */
  <A, B, NA, NB, P = string, G = RunInput>(
    options: PipelineOptions<P, G>,
    a: NA & NodeOf<P, A> & Fits<NoInfer<P>, NA>,
    b: NB & NodeOf<ResultOf<NA, A>, B> & Fits<NoInfer<ResultOf<NA, A>>, NB>,
  ): Composition<NoInfer<G>, ResultOf<NB, B>>;
  /**
   * @param options - The settings of the workflow.
   * @param a - The first node.
   * @param b - The second node.
   * @param c - The third node.
   */
  <A, B, C, NA, NB, NC, P = string, G = RunInput>(
    options: PipelineOptions<P, G>,
    a: NA & NodeOf<P, A> & Fits<NoInfer<P>, NA>,
    b: NB & NodeOf<ResultOf<NA, A>, B> & Fits<NoInfer<ResultOf<NA, A>>, NB>,
    c: NC & NodeOf<ResultOf<NB, B>, C> & Fits<NoInfer<ResultOf<NB, B>>, NC>,
  ): Composition<NoInfer<G>, ResultOf<NC, C>>;
  /**
   * @param options - The settings of the workflow.
   * @param a - The first node.
   * @param b - The second node.
   * @param c - The third node.
   * @param d - The fourth node.
   */
  <A, B, C, D, NA, NB, NC, ND, P = string, G = RunInput>(
    options: PipelineOptions<P, G>,
    a: NA & NodeOf<P, A> & Fits<NoInfer<P>, NA>,
    b: NB & NodeOf<ResultOf<NA, A>, B> & Fits<NoInfer<ResultOf<NA, A>>, NB>,
    c: NC & NodeOf<ResultOf<NB, B>, C> & Fits<NoInfer<ResultOf<NB, B>>, NC>,
    d: ND & NodeOf<ResultOf<NC, C>, D> & Fits<NoInfer<ResultOf<NC, C>>, ND>,
  ): Composition<NoInfer<G>, ResultOf<ND, D>>;
  /**
   * @param options - The settings of the workflow.
   * @param a - The first node.
   * @param b - The second node.
   * @param c - The third node.
   * @param d - The fourth node.
   * @param e - The fifth node.
   */
  <A, B, C, D, E, NA, NB, NC, ND, NE, P = string, G = RunInput>(
    options: PipelineOptions<P, G>,
    a: NA & NodeOf<P, A> & Fits<NoInfer<P>, NA>,
    b: NB & NodeOf<ResultOf<NA, A>, B> & Fits<NoInfer<ResultOf<NA, A>>, NB>,
    c: NC & NodeOf<ResultOf<NB, B>, C> & Fits<NoInfer<ResultOf<NB, B>>, NC>,
    d: ND & NodeOf<ResultOf<NC, C>, D> & Fits<NoInfer<ResultOf<NC, C>>, ND>,
    e: NE & NodeOf<ResultOf<ND, D>, E> & Fits<NoInfer<ResultOf<ND, D>>, NE>,
  ): Composition<NoInfer<G>, ResultOf<NE, E>>;
  /**
   * @param options - The settings of the workflow.
   * @param a - The first node.
   * @param b - The second node.
   * @param c - The third node.
   * @param d - The fourth node.
   * @param e - The fifth node.
   * @param f - The sixth node.
   */
  <A, B, C, D, E, F, NA, NB, NC, ND, NE, NF, P = string, G = RunInput>(
    options: PipelineOptions<P, G>,
    a: NA & NodeOf<P, A> & Fits<NoInfer<P>, NA>,
    b: NB & NodeOf<ResultOf<NA, A>, B> & Fits<NoInfer<ResultOf<NA, A>>, NB>,
    c: NC & NodeOf<ResultOf<NB, B>, C> & Fits<NoInfer<ResultOf<NB, B>>, NC>,
    d: ND & NodeOf<ResultOf<NC, C>, D> & Fits<NoInfer<ResultOf<NC, C>>, ND>,
    e: NE & NodeOf<ResultOf<ND, D>, E> & Fits<NoInfer<ResultOf<ND, D>>, NE>,
    f: NF & NodeOf<ResultOf<NE, E>, F> & Fits<NoInfer<ResultOf<NE, E>>, NF>,
  ): Composition<NoInfer<G>, ResultOf<NF, F>>;
  /**
   * @param options - The settings of the workflow.
   * @param a - The first node.
   * @param b - The second node.
   * @param c - The third node.
   * @param d - The fourth node.
   * @param e - The fifth node.
   * @param f - The sixth node.
   * @param h - The seventh node.
   */
  <A, B, C, D, E, F, H, NA, NB, NC, ND, NE, NF, NH, P = string, G = RunInput>(
    options: PipelineOptions<P, G>,
    a: NA & NodeOf<P, A> & Fits<NoInfer<P>, NA>,
    b: NB & NodeOf<ResultOf<NA, A>, B> & Fits<NoInfer<ResultOf<NA, A>>, NB>,
    c: NC & NodeOf<ResultOf<NB, B>, C> & Fits<NoInfer<ResultOf<NB, B>>, NC>,
    d: ND & NodeOf<ResultOf<NC, C>, D> & Fits<NoInfer<ResultOf<NC, C>>, ND>,
    e: NE & NodeOf<ResultOf<ND, D>, E> & Fits<NoInfer<ResultOf<ND, D>>, NE>,
    f: NF & NodeOf<ResultOf<NE, E>, F> & Fits<NoInfer<ResultOf<NE, E>>, NF>,
    h: NH & NodeOf<ResultOf<NF, F>, H> & Fits<NoInfer<ResultOf<NF, F>>, NH>,
  ): Composition<NoInfer<G>, ResultOf<NH, H>>;
  /**
   * @param options - The settings of the workflow.
   * @param a - The first node.
   * @param b - The second node.
   * @param c - The third node.
   * @param d - The fourth node.
   * @param e - The fifth node.
   * @param f - The sixth node.
   * @param h - The seventh node.
   * @param i - The eighth node.
   */
  <A, B, C, D, E, F, H, I, NA, NB, NC, ND, NE, NF, NH, NI, P = string, G = RunInput>(
    options: PipelineOptions<P, G>,
    a: NA & NodeOf<P, A> & Fits<NoInfer<P>, NA>,
    b: NB & NodeOf<ResultOf<NA, A>, B> & Fits<NoInfer<ResultOf<NA, A>>, NB>,
    c: NC & NodeOf<ResultOf<NB, B>, C> & Fits<NoInfer<ResultOf<NB, B>>, NC>,
    d: ND & NodeOf<ResultOf<NC, C>, D> & Fits<NoInfer<ResultOf<NC, C>>, ND>,
    e: NE & NodeOf<ResultOf<ND, D>, E> & Fits<NoInfer<ResultOf<ND, D>>, NE>,
    f: NF & NodeOf<ResultOf<NE, E>, F> & Fits<NoInfer<ResultOf<NE, E>>, NF>,
    h: NH & NodeOf<ResultOf<NF, F>, H> & Fits<NoInfer<ResultOf<NF, F>>, NH>,
    i: NI & NodeOf<ResultOf<NH, H>, I> & Fits<NoInfer<ResultOf<NH, H>>, NI>,
  ): Composition<NoInfer<G>, ResultOf<NI, I>>;
  /**
   * @param options - The settings of the workflow.
   * @param nodes - The nodes.
   */
  <P = string, G = RunInput>(
    options: PipelineOptions<P, G>,
    ...nodes: readonly [AnyNode, AnyNode, AnyNode, AnyNode, AnyNode, AnyNode, AnyNode, AnyNode, AnyNode, ...AnyNode[]]
  ): Composition<NoInfer<G>>;
  /**
   * A list that your code builds: the compiler cannot see which node fits which.
   *
   * @param nodes - The nodes.
   * @param options - The settings of the workflow.
   */
  <P = string, G = RunInput>(nodes: readonly AnyNode[], options?: PipelineOptions<P, G>): Composition<NoInfer<G>>;
}

/** The answers of branches, by name. */
export type AnswersOf<Outs, Nodes> = {
  readonly [Name in keyof Outs]: ResultOf<Name extends keyof Nodes ? Nodes[Name] : unknown, Outs[Name]>;
};

/** Branches by name: each is a node that gets the same value. */
export type Branches<In, Outs, Nodes> = { readonly [Name in keyof Outs]: NodeOf<In, Outs[Name]> } & Nodes & {
    readonly [Name in keyof Nodes]: Fits<NoInfer<In>, Nodes[Name]>;
  };

/** Makes one value of several. */
export interface MergeOptions<Answers, Merged> {
  /** Makes the answer of the values of all branches or items. */
  readonly merge: (answers: Answers) => Merged | Promise<Merged>;
}

/** No `merge`. */
export interface Unmerged {
  /** Default: an object with the value of each branch, or a list with the value of each item. */
  readonly merge?: undefined;
}

/**
 * Runs all branches at once, on the same value. When a branch fails the workflow ends with `NODE_FAILED`; wrap a branch in
 * `attempt` to continue without it.
 *
 * @throws ConfigurationError `EMPTY_COMPOSITION` without a branch, `UNKNOWN_OPTION` for an option of another name,
 *   `INVALID_OPTION` for a value that is not a node.
 */
export interface Parallel {
  /**
   * @param options - The settings of the workflow.
   * @param branches - The branches, by name.
   */
  <Outs extends Readonly<Record<string, unknown>>, Nodes, Merged, P = string, G = RunInput>(
    options: CompositionOptions & InputOptions<P, G> & MergeOptions<AnswersOf<Outs, Nodes>, Merged>,
    branches: Branches<P, Outs, Nodes>,
  ): Composition<NoInfer<G>, AnswerOf<Merged>>;
  /**
   * @param options - The settings of the workflow.
   * @param branches - The branches, by name.
   */
  <Outs extends Readonly<Record<string, unknown>>, Nodes, P = string, G = RunInput>(
    options: CompositionOptions & InputOptions<P, G> & Unmerged,
    branches: Branches<P, Outs, Nodes>,
  ): Composition<NoInfer<G>, AnswersOf<Outs, Nodes>>;
}

/** The end of an attempt without `catch`. */
export type Attempted<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: string };

/** Treatment of an item that fails. */
export type OnError = "stop" | "collect";

/** The values of all items. */
export type ListOf<Value, Failing> = readonly ("collect" extends Failing ? Attempted<Value> : Value)[];

/** Settings of `map`, besides its items. */
export interface MapSettings<Failing> extends CompositionOptions {
  /**
   * `stop` ends the workflow with `NODE_FAILED` when an item fails. `collect` gives a list of
   * `{ ok: true, value }` and `{ ok: false, error }`. Default `stop`.
   */
  readonly onError?: Failing | undefined;
  /** Name of the variable that holds the item in `extraVars` of an agent as the body; default `item`. `index` is there too. */
  readonly as?: string | undefined;
}

/** The items are the input: the list that comes before it. */
export interface ListInput<Item, Given> {
  /** Schema of each item. Default: items are not checked. */
  readonly item?: Schema<Item, Given> | undefined;
  /** The author of the list of a run that the application starts. Default `outside`. */
  readonly origin?: Origin | undefined;
  /** Not in this form: the items are the input. */
  readonly items?: undefined;
  /** Not in this form: `item` is the schema of each item. */
  readonly input?: undefined;
}

/** The items are given, or made of the input. */
export type GivenItems<Item, Parsed, Given> = InputOptions<Parsed, Given> & {
  /** The items, or a function of the input. */
  readonly items: readonly Item[] | ((input: Parsed) => readonly Item[] | Promise<readonly Item[]>);
  /** Not in this form: the items are given. */
  readonly item?: undefined;
};

/**
 * Runs one node for each item, 8 at a time.
 *
 * @throws ConfigurationError `UNKNOWN_OPTION` for an option of another name, `INVALID_OPTION` for a value that is not a
 *   node.
 */
export interface MapItems {
  /**
   * @param options - The settings of the workflow.
   * @param body - The node that runs.
   */
  <A, NA, Merged, Item, Given = Item, Failing extends OnError = "stop">(
    options: MapSettings<Failing> & ListInput<Item, Given> & MergeOptions<ListOf<ResultOf<NA, A>, Failing>, Merged>,
    body: NA & NodeOf<Item, A> & Fits<NoInfer<Item>, NA>,
  ): Composition<readonly NoInfer<Given>[], AnswerOf<Merged>>;
  /**
   * @param options - The settings of the workflow.
   * @param body - The node that runs.
   */
  <A, NA, Item, Given = Item, Failing extends OnError = "stop">(
    options: MapSettings<Failing> & ListInput<Item, Given> & Unmerged,
    body: NA & NodeOf<Item, A> & Fits<NoInfer<Item>, NA>,
  ): Composition<readonly NoInfer<Given>[], ListOf<ResultOf<NA, A>, Failing>>;
  /**
   * @param options - The settings of the workflow.
   * @param body - The node that runs.
   */
  <A, NA, Merged, Item, Failing extends OnError = "stop", P = string, G = RunInput>(
    options: MapSettings<Failing> & GivenItems<Item, P, G> & MergeOptions<ListOf<ResultOf<NA, A>, Failing>, Merged>,
    body: NA & NodeOf<Item, A> & Fits<NoInfer<Item>, NA>,
  ): Composition<NoInfer<G>, AnswerOf<Merged>>;
  /**
   * @param options - The settings of the workflow.
   * @param body - The node that runs.
   */
  <A, NA, Item, Failing extends OnError = "stop", P = string, G = RunInput>(
    options: MapSettings<Failing> & GivenItems<Item, P, G> & Unmerged,
    body: NA & NodeOf<Item, A> & Fits<NoInfer<Item>, NA>,
  ): Composition<NoInfer<G>, ListOf<ResultOf<NA, A>, Failing>>;
}

/** Settings of `route`. */
export interface RouteOptions<In, Name> extends CompositionOptions {
  /** Chooses the branch: a function of the input, or an agent whose answer is the name of a branch. */
  readonly choose: ((input: In) => Name | Promise<Name>) | RunnableNode<unknown>;
  /** The branch to take if the chooser names none; without it, that is an error. */
  readonly otherwise?: Name | undefined;
}

/**
 * Runs the one of several branches that the chooser names.
 *
 * @throws ConfigurationError `INVALID_OPTION` when `otherwise` is not a branch or a branch is not a node,
 *   `UNKNOWN_OPTION` for an option of another name.
 */
export interface Route {
  /**
   * @param options - The settings of the workflow.
   * @param branches - The branches, by name.
   */
  <Outs extends Readonly<Record<string, unknown>>, Nodes, P = string, G = RunInput>(
    options: RouteOptions<P, NoInfer<keyof Outs>> & InputOptions<P, G>,
    branches: Branches<P, Outs, Nodes>,
  ): Composition<NoInfer<G>, AnswersOf<Outs, Nodes>[keyof Outs]>;
}

/** Settings of `loop`. */
export interface LoopOptions<Value> extends CompositionOptions {
  /** Called after each round; `true` ends the loop with that value. */
  readonly until: (value: Value, round: number) => boolean | Promise<boolean>;
  /** Maximum number of rounds; after the last one, its value counts. Default 10. */
  readonly maxRounds?: number | undefined;
}

/**
 * Runs a node again and again, each time with its last value, until a condition holds.
 *
 * @throws ConfigurationError `UNKNOWN_OPTION` for an option of another name, `INVALID_OPTION` for a value that is not a
 *   node, or an invalid `maxRounds`.
 */
export interface Loop {
  /**
   * @param options - The settings of the workflow.
   * @param body - The node that runs.
   */
  <A, NA, P = string, G = RunInput>(
    options: LoopOptions<ResultOf<NA, A>> & InputOptions<P, G>,
    body: NA & NodeOf<P, A> & Fits<NoInfer<P>, NA>,
  ): Composition<NoInfer<G>, ResultOf<NA, A>>;
}

/** The value that `catch` gets. */
export interface Caught<In> {
  /** The input of the attempt. */
  readonly input: In;
  /** The reason why the first node failed. */
  readonly error: string;
}

/** The nodes of `attempt`, besides `catch`. */
export interface AttemptNodes<In, A, NA> {
  /** The node that runs first. */
  readonly try: NA & NodeOf<In, A> & Fits<NoInfer<In>, NA>;
  /** Runs last in every case, on the input; its value is ignored. Default: none. */
  readonly finally?: NodeOf<In, unknown> | undefined;
}

/**
 * Tries a node, and runs another one if it fails or stops early. Without `catch`, the answer is `{ ok: true, value }` or
 * `{ ok: false, error }`, so that a workflow around it can continue.
 *
 * @throws ConfigurationError `UNKNOWN_OPTION` for a node or an option of another name, `INVALID_OPTION` for a value that is
 *   not a node.
 */
export interface Attempt {
  /**
   * @param options - The settings of the workflow.
   * @param nodes - The nodes.
   */
  <A, B, NA, NB, P = string, G = RunInput>(
    options: CompositionOptions & InputOptions<P, G>,
    nodes: AttemptNodes<P, A, NA> & {
      /** Runs when `try` failed; its value is the answer then. */
      readonly catch: NB & NodeOf<Caught<P>, B> & Fits<NoInfer<Caught<P>>, NB>;
    },
  ): Composition<NoInfer<G>, ResultOf<NA, A> | ResultOf<NB, B>>;
  /**
   * @param options - The settings of the workflow.
   * @param nodes - The nodes.
   */
  <A, NA, P = string, G = RunInput>(
    options: CompositionOptions & InputOptions<P, G>,
    nodes: AttemptNodes<P, A, NA> & { readonly catch?: undefined },
  ): Composition<NoInfer<G>, Attempted<ResultOf<NA, A>>>;
}
