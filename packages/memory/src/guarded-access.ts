import { MemoryGuardDeniedError, MemoryNotFoundError } from "@bailiwick/core";
import type { MemoryAccess, MemoryCall, MemoryEntry, MemoryLabel, MemoryScope, RememberOptions } from "@bailiwick/core";
import { isDoubted } from "./labels.ts";

/** The actions of a guarded call after it was allowed. */
export interface UnguardedAccess {
  /** The scope of the call; its own namespace if it is isolated. */
  readonly scope: MemoryScope;
  write(
    text: string,
    options: RememberOptions,
    label: MemoryLabel,
    refuseWorse: ((known: MemoryEntry) => Error) | undefined,
  ): Promise<string>;
  recall: MemoryAccess["recall"];
  get(id: string): Promise<MemoryEntry | undefined>;
  remove(id: string): Promise<void>;
}

/**
 * Memory with the rights of a tool's tier. Reading is always allowed, because the label of a memory joins the result.
 * Writing requires the tier, and an untrusted value does not replace a person's, unless a person has approved the call.
 *
 * @param call - The tool's call.
 * @param access - The operation.
 */
export function guardedAccess(call: MemoryCall, access: UnguardedAccess): MemoryAccess {
  const { toolName, tier } = call;
  const approved = call.approved === true;
  const denied = (reason: string): MemoryGuardDeniedError => new MemoryGuardDeniedError(toolName, reason);

  function checkTier(what: string): void {
    if (tier === "frozen") throw denied(`its memoryGuardTier is "frozen", which lets it read and not ${what}.`);
    if (tier === "approve" && !approved)
      throw denied(
        `its memoryGuardTier is "approve", and this call was not approved. Set needsApproval: true on the tool.`,
      );
  }

  function checkKind({ kind }: RememberOptions): void {
    if (tier === "isolated" && (kind === "shared" || kind === "working"))
      throw denied(`its memoryGuardTier is "isolated": it keeps what is its own, and nothing of kind "${kind}".`);
    if (kind === "shared" && call.label.readers !== "public")
      throw denied(`it would share the memory with all users of the tenant, and only some may see its values.`);
  }

  return {
    recall: access.recall,
    async remember(text, options = {}) {
      checkTier("write");
      checkKind(options);
      const own: MemoryLabel = { integrity: call.label.integrity, readers: call.label.readers };
      // The words of one user are not trusted for another.
      const kept =
        options.kind === "shared" && own.integrity === "user" ? { ...own, integrity: "untrusted" as const } : own;
      const refuseWorse = approved
        ? undefined
        : (known: MemoryEntry) =>
            denied(
              `the new text for the name "${known.name}" is ${kept.integrity}, and the stored text is ${known.label.integrity}. Let a person approve it, or write under another name.`,
            );
      return access.write(text, options, kept, refuseWorse);
    },
    async forget(id) {
      checkTier("forget");
      const entry = await access.get(id);
      if (entry === undefined) throw new MemoryNotFoundError(id);
      const { label } = call;
      if (!approved && isDoubted(label.integrity, entry.label.integrity))
        throw denied(
          `the call depends on ${label.integrity} text, and the memory "${id}" is ${entry.label.integrity}.`,
        );
      await access.remove(id);
    },
  };
}
