import type { Tool } from "./tool.ts";
import type { ToolCallResult, ToolFailure } from "./tool-call-result.ts";

/** Input type of a tool. */
export type ToolInput<T extends Tool> = T extends Tool<infer Input, unknown, unknown, string> ? Input : unknown;

/** Output type of a tool. */
export type ToolOutput<T extends Tool> = T extends Tool<unknown, infer Output, unknown, string> ? Output : unknown;

/** One finished call of a tool whose name is known statically. */
export type TypedToolCallResult<Name extends string, Input, Output> =
  | (ToolCallResult<Name, Input, Output> & {
      readonly isError: false;
      readonly output: Output;
      readonly error?: undefined;
    })
  | (ToolCallResult<Name, unknown, Output> & {
      readonly isError: true;
      readonly error: ToolFailure;
    });

/**
 * One finished call of a tool whose name the types do not know: built in, from a server, or named at run time. The type
 * of its name is a text with a space, which no tool's name has, so that a comparison with a name in the list narrows.
 * Assign the name to a `string` to compare it with others.
 */
export type OtherToolCallResult = TypedToolCallResult<`${string} ${string}`, unknown, unknown>;

type CallOf<T> = T extends { readonly name: infer Name extends string; readonly "~tool"?: infer Types }
  ? string extends Name
    ? never
    : NonNullable<Types> extends { readonly input: infer Input; readonly output: infer Output }
      ? TypedToolCallResult<Name, Input, Output>
      : never
  : never;

type DependenciesOf<T> = T extends { readonly "~tool"?: infer Types }
  ? NonNullable<Types> extends { readonly dependencies: infer Dependencies }
    ? Dependencies
    : unknown
  : unknown;

/** The dependencies that the tools of a list need together; `unknown` if none are declared. */
export type NeededDependencies<Tools extends readonly Tool[]> = {
  [Index in keyof Tools]: (dependencies: DependenciesOf<Tools[Index]>) => void;
}[number] extends (dependencies: infer Needed) => void
  ? Needed
  : unknown;

/**
 * The union of a tool list's calls, discriminated by `toolName`, then by `isError`. Without a statically known name:
 * any call.
 */
export type ResolveToolCalls<Tools extends readonly Tool[]> = [CallOf<Tools[number]>] extends [never]
  ? ToolCallResult
  : CallOf<Tools[number]> | OtherToolCallResult;
