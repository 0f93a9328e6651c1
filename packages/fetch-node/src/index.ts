/**
 * A lean fetch over undici's dispatcher, for Node.
 *
 * @module
 */
export {};
