/**
 * Runs, sessions, memory and blobs in a Cloudflare Durable Object, with an alarm that wakes them.
 *
 * @module
 */
export { durableObjectStore, type StoreStub } from "./durable-object-store.ts";
export type { ObjectCursor, ObjectSql, ObjectState, ObjectStorage, ObjectValue } from "./object-storage.ts";
export type { StoreAnswer, StoreRequest } from "./requests.ts";
export type { DurableObjectStore } from "./store-of.ts";
export { storeObject, type StoreObject, type StoreObjectOptions } from "./store-object.ts";
