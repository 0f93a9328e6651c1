import { lazyPart, type LazyPart } from "../loading/lazy-part.ts";
import type * as stores from "./memory/part.ts";

export type MemoryPart = typeof stores;

/** The in-memory stores, which load with their first call. */
export const memoryPart: LazyPart<MemoryPart> = lazyPart("The store in memory", () => import("./memory/part.ts"));
