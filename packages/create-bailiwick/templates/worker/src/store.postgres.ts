import { postgresStore } from "@bailiwick/store-postgres";

/** Runs are kept here. */
export const store = postgresStore({ url: process.env["DATABASE_URL"] ?? "postgres://localhost/postgres" });
