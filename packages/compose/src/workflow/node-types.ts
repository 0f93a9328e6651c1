import type { RunInput, Schema, ToolExecutionContext } from "@bailiwick/core";

/** The context of a function: it computes, so it has no secrets, no `fetch` and no dependencies. */
export type FunctionContext = Pick<ToolExecutionContext, "ask" | "sleep" | "signal" | "runId" | "logger">;

/**
 * A function as a node: it gets a copy of the value, and its return value is the answer. After a crash it runs again.
 *
 * @param input - The value of the node before it, or the input of the workflow.
 * @param ctx - Questions to people, sleeps, and the signal of the run.
 */
export type NodeFunction<In, Out> = (input: In, ctx: FunctionContext) => Out | Promise<Out>;

/** The types of an agent or a workflow as a node; never present at run time. */
export interface AnswerTypes<In, Out> {
  /** The value that `run()` takes. */
  readonly input: In;
  /** The value that the node after it gets. */
  readonly answer: Out;
}

/** An agent or a workflow as a node. */
export interface RunnableNode<Out> {
  /** Name in events, errors and the journal. */
  readonly name: string;
  /** Runs it to its end. */
  readonly run: (...given: never) => Promise<unknown>;
  /** Runs it, and returns the events. */
  readonly stream: (...given: never) => unknown;
  /** Types only; never present at run time. */
  readonly "~answer"?: { readonly answer: Out } | undefined;
}

/** A tool as a node: the value is its arguments. */
export interface ToolNode<Out> {
  /** Name of the tool. */
  readonly name: string;
  /** Schema of its arguments. */
  readonly inputSchema: object;
  /** Types only; never present at run time. */
  readonly "~tool"?: { readonly output: Out } | undefined;
}

/** A node that takes a value of one type and gives one of another: an agent, a workflow, a tool, or a function. */
export type NodeOf<In, Out> = NodeFunction<In, Out> | RunnableNode<Out> | ToolNode<Out>;

/** Any node. */
export type AnyNode = NodeFunction<never, unknown> | RunnableNode<unknown> | ToolNode<unknown>;

/** The value that a node gives: JSON has `null` for `undefined`. */
export type AnswerOf<Out> = 0 extends 1 & Out ? Out : [Out] extends [void] ? null : Out;

/** The value that a node gives; an agent without an output schema gives its text. */
export type ResultOf<Node, Out> = Node extends {
  readonly run: unknown;
  readonly "~answer"?: { readonly isAgent: true; readonly answer: infer Structured } | undefined;
}
  ? unknown extends Structured
    ? string
    : Structured
  : AnswerOf<Out>;

/** The type that a node needs as its value; `unknown` if it takes every value. */
type Needed<Node> = Node extends (...given: never) => unknown
  ? unknown
  : Node extends { readonly "~tool"?: { readonly input: infer Input } | undefined; readonly inputSchema: object }
    ? Input
    : Node extends { readonly "~answer"?: { readonly input: infer Input } | undefined; readonly run: unknown }
      ? RunInput extends Input
        ? unknown
        : Input
      : unknown;

/** Shows a value that does not fit the node after it; functions are checked by their parameter. */
export type Fits<Given, Node> = unknown extends Given
  ? unknown
  : unknown extends Needed<Node>
    ? unknown
    : [Given] extends [Needed<Node>]
      ? unknown
      : { readonly "this node needs": Needed<Node>; readonly "and gets": Given };

/** The author of a value: your own application, or others. */
export type Origin = "own" | "outside";

/** The input of a workflow: with a schema, a value; without one, a text or parts as for an agent. */
export type InputOptions<Parsed, Given> =
  | {
      /** Schema of the input; nodes get the parsed value. Default: the input is a text or parts. */
      readonly input: Schema<Parsed, Given>;
      /**
       * `own`: the value comes from your application or its user. `outside`: others may have written it, such as a mail.
       * A workflow inside another run takes the label of the value that it gets.
       */
      readonly origin: Origin;
    }
  | { readonly input?: undefined; readonly origin?: undefined };
