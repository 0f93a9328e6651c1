import type { BlobStore } from "../contracts/ports/blob-store.ts";
import type { Hasher } from "../contracts/ports/hasher.ts";
import type { Logger } from "../contracts/ports/logger.ts";
import type { SandboxPort } from "../contracts/ports/sandbox.ts";
import type { SanitizerPort, SecretsPort } from "../contracts/ports/security.ts";

/** Ports of a registry; a tool that needs a missing port is refused. */
export interface RegistryPorts {
  readonly hasher: Hasher;
  /** Runs sandboxed tools. */
  readonly sandbox?: Pick<SandboxPort, "resolve"> | undefined;
  /** Checks that the secrets a tool uses are declared. */
  readonly secrets?: Pick<SecretsPort, "check"> | undefined;
  readonly sanitizer?: SanitizerPort | undefined;
  /** True if the agent has a memory. Default `false`. */
  readonly hasMemory?: boolean | undefined;
  /** True if results can be kept beyond a call, for `idempotencyKey` and `cache`. Default `true`. */
  readonly hasLedger?: boolean | undefined;
  /** True if journals can be sealed, for tools of sensitivity `secret`. Default `true`. */
  readonly canSeal?: boolean | undefined;
  /** The store of spilled results; with it, the tool `read_result` exists. */
  readonly blobs?: BlobStore | undefined;
  /** Receives warnings. */
  readonly logger?: Logger | undefined;
}
