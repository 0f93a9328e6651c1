import { sqliteStore } from "@bailiwick/store-sqlite";

/** Runs are kept here. */
export const store = sqliteStore({ path: "./runs.db" });
