import type { Tool } from "./tool.ts";
import type { ToolCallResult, ToolFailure } from "./tool-call-result.ts";

/** Input type of a tool. */
export type ToolInput<T extends Tool> = T extends Tool<infer Input, unknown, unknown, string> ? Input : unknown;

/** Output type of a tool. */
export type ToolOutput<T extends Tool> = T extends Tool<unknown, infer Output, unknown, string> ? Output : unknown;

/** One finished call of a tool that is known statically. */
export type TypedToolCallResult<Name extends string, Input, Output> =
  | (ToolCallResult<Name, Input, Output> & {
      readonly isError: false;
      readonly output: Output;
      readonly error?: undefined;
      readonly dynamic?: undefined;
    })
  | (ToolCallResult<Name, unknown, Output> & {
      readonly isError: true;
      readonly error: ToolFailure;
      readonly dynamic?: undefined;
    });

/** One finished call of a tool that is not known statically: built in, from a server, handed over. */
export type DynamicToolCallResult = ToolCallResult & { readonly dynamic: true };

type CallOf<T> = T extends { readonly name: infer Name extends string; readonly "~tool"?: infer Types }
  ? NonNullable<Types> extends { readonly input: infer Input; readonly output: infer Output }
    ? TypedToolCallResult<Name, Input, Output>
    : never
  : never;

type DependenciesOf<T> = T extends { readonly "~tool"?: infer Types }
  ? NonNullable<Types> extends { readonly dependencies: infer Dependencies }
    ? Dependencies
    : unknown
  : unknown;

/** The dependencies that the tools of a list need together; `unknown` if they declare none. */
export type NeededDependencies<Tools extends readonly Tool[]> = {
  [Index in keyof Tools]: (dependencies: DependenciesOf<Tools[Index]>) => void;
}[number] extends (dependencies: infer Needed) => void
  ? Needed
  : unknown;

/** The union of a tool list's calls, discriminated by `toolName`, then by `isError`. */
export type ResolveToolCalls<Tools extends readonly Tool[]> = string extends Tools[number]["name"]
  ? ToolCallResult & { readonly dynamic?: boolean | undefined }
  : CallOf<Tools[number]> | DynamicToolCallResult;
