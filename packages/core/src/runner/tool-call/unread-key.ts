import { toolOf, type PipelineCall } from "./call.ts";

const warned = new WeakSet<object>();

/**
 * Warns once if a tool declares `idempotencyKey: "call"` and its function has ended without `ctx.idempotencyKey`: after
 * a crash the call is repeated, and the service cannot know that it is the same one [tool.field.idempotency-key.unread].
 */
export function warnAboutUnreadKey(call: PipelineCall): void {
  const tool = toolOf(call);
  const { idempotencyKey, lookup, execute, composition, runsOn } = tool;
  if (idempotencyKey !== "call" || call.keyIsRead || lookup !== undefined || composition !== undefined) return;
  // A sandbox gets the key as a value, and a client runs its tools itself.
  if (typeof execute !== "function" || runsOn === "client" || warned.has(execute)) return;
  warned.add(execute);
  call.run.logger.warn(
    `"${tool.name}" declares idempotencyKey: "call", but its execute did not read ctx.idempotencyKey. After a crash the call is repeated: give the key to the service, or leave idempotencyKey out, so that a person is asked first.`,
  );
}
