import { sqliteStore } from "@bailiwick/store-sqlite";

/** Runs are stored here. */
export const store = sqliteStore({ path: "./runs.db" });
