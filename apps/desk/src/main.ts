/**
 * A support desk on Bailiwick.
 *
 * @module
 */
export {};
