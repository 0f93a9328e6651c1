import { postgresStore } from "@bailiwick/store-postgres";

/** Runs are stored here. */
export const store = postgresStore({ url: process.env["DATABASE_URL"] ?? "postgres://localhost/postgres" });
