/** The store's clock in SQL: milliseconds since the epoch. Callers' clocks never decide about leases. */
export const now = "CAST(round(unixepoch('subsec') * 1000) AS INTEGER)";
