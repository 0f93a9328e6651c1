/**
 * Scripted models, fault injection, cassettes and conformance kits for Bailiwick.
 *
 * @module
 */
export {};
