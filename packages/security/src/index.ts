/**
 * Enforcement of authority: information-flow policy, secrets, sanitization, signed approvals, and helpers for tool
 * authors.
 *
 * @module main
 */
export { createSanitizer } from "./sanitize/create-sanitizer.ts";
export type { SanitizerOptions } from "./sanitize/create-sanitizer.ts";
export { stripText } from "./sanitize/strip-text.ts";
export { env, file, keyring, secrets } from "./secrets/secret-sources.ts";
export type { BoundSecret, SecretReference } from "./secrets/secret-sources.ts";
export { secretsFactory } from "./secrets/create-secrets.ts";
export type { SecretsOptions } from "./secrets/create-secrets.ts";
export * from "./secrets/secret-errors.ts";
export { approvalSigner } from "./approvals/approval-signer.ts";
export { SealBrokenError } from "./approvals/seal-broken.ts";
export { sealer } from "./approvals/sealer.ts";
export { safePath, PathEscapeError } from "./net/safe-path.ts";
export { EgressDeniedError } from "./net/egress-denied.ts";
export { guardedFetch } from "./net/guarded-fetch.ts";
export type { GuardedFetchOptions } from "./net/guarded-fetch-options.ts";
export { security } from "./security.ts";
export type { SecurityOptions } from "./security.ts";
export { flowPolicy } from "./flow/flow-port.ts";
export type { FlowPolicyOptions } from "./flow/flow-port.ts";
export { FlowOptionsError, ReferenceUnknownError, UngovernedHostedToolError } from "./flow/flow-errors.ts";
export { mayEnterSystemPrompt } from "./flow/system-prompt.ts";
export { piiGuard } from "./pii/pii-guard.ts";
export type { PiiAction, PiiGuard, PiiGuardOptions } from "./pii/pii-guard.ts";
export type { PiiKind } from "./pii/detectors.ts";
