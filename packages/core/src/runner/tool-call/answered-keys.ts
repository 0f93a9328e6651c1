import type { ToolExecutionContext } from "../../contracts/tool-context.ts";

/**
 * Returns the keys of the questions of a call that were answered, in any process. An adapter whose keys name a resource of
 * another system, such as a task of a server, finds it again when the call resumes.
 *
 * @param ctx - The context that the tool's `execute` received.
 */
export function answeredKeys(ctx: ToolExecutionContext): readonly string[] {
  return (ctx as { readonly answered?: readonly string[] }).answered ?? [];
}
