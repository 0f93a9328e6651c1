/**
 * Runs, sessions, memory and blobs in one SQLite file.
 *
 * @module
 */
export {};
