/**
 * Sandboxes, sanitization, secrets, flow policy, redaction, approvals and audit for Bailiwick.
 *
 * @module
 */
export {};
