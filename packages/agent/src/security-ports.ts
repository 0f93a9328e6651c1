import { defaultHasher, type SecurityPorts } from "@bailiwick/core";
import { approvalSigner, createSanitizer, sealer, secretsFactory } from "@bailiwick/security";

/** What the security package supplies to every agent: each agent gets its own, so that two share nothing by accident. */
export function securityPorts(): SecurityPorts {
  return {
    secrets: secretsFactory(),
    sanitizer: createSanitizer(),
    signer: approvalSigner(defaultHasher()),
    sealer,
  };
}
