import { checkKnownNames } from "@bailiwick/core";
import { defaultHasher } from "@bailiwick/core/extension";
import type { Hasher, ModelProvider, SecurityPorts } from "@bailiwick/core";

import { approvalSigner } from "./approvals/approval-signer.ts";
import { sealer } from "./approvals/sealer.ts";
import { flowPolicy } from "./flow/flow-port.ts";
import { createSanitizer } from "./sanitize/create-sanitizer.ts";
import type { SanitizerOptions } from "./sanitize/create-sanitizer.ts";
import { secretsFactory } from "./secrets/create-secrets.ts";
import type { SecretsOptions } from "./secrets/create-secrets.ts";

/** Inputs for the ports of an agent. */
export interface SecurityOptions {
  /** Reporting and network access of secrets. */
  readonly secrets?: SecretsOptions | undefined;
  /** Limits for the cleaning of untrusted texts. */
  readonly sanitizer?: SanitizerOptions | undefined;
  /** Hashing for signatures; default the fastest that the platform has. */
  readonly hasher?: Hasher | undefined;
  /** Finds the model of `flow.planner` where it is a `"provider/model"` string. */
  readonly resolveModel?: ((id: string) => ModelProvider) | undefined;
}

/**
 * Everything that this package plugs into an agent: secrets, sanitizer, sandboxes, information flow, signed approvals, sealing.
 *
 * @param options - Limits and replacements; the defaults are the safe ones.
 * @throws ConfigurationError `UNKNOWN_OPTION` for another name.
 * @example
 * ```ts
 * import { security } from "@bailiwick/security";
 *
 * export const ports = security();
 * ```
 */
export function security(options: SecurityOptions = {}): SecurityPorts {
  checkKnownNames(options, ["secrets", "sanitizer", "hasher", "resolveModel"], "security()");
  return {
    secrets: secretsFactory(options.secrets),
    sanitizer: createSanitizer(options.sanitizer),
    flow: flowPolicy({ resolveModel: options.resolveModel }),
    signer: approvalSigner(options.hasher ?? defaultHasher()),
    sealer,
  };
}
