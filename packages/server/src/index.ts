/**
 * Web-standard fetch handlers that put agents on the network: run, stream, resume, approvals, journal, inspector.
 *
 * @module
 */
export {};
