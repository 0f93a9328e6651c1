/**
 * Ids, keys and names in columns. PostgreSQL stores neither a NUL nor half of a surrogate pair in a text: these are
 * written as escapes, so that two different names stay different.
 */
export function toColumn(name: string): string {
  return name.replace(/[\\\0]|\p{Cs}/gu, (found) =>
    found === "\\" ? "\\\\" : `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** The value that was passed to `toColumn`. */
export function fromColumn(column: string): string {
  return column.replace(/\\(?:\\|u([0-9a-f]{4}))/g, (_found, code: string | undefined) =>
    code === undefined ? "\\" : String.fromCharCode(Number.parseInt(code, 16)),
  );
}

/** A nullable name in a column. */
export function optionalName(column: string | null | undefined): string | undefined {
  return typeof column === "string" ? fromColumn(column) : undefined;
}

/** A tenant in a column that is never null, so that an absent tenant is a separate one. */
export function toTenant(tenantId: string | undefined): string {
  return tenantId === undefined ? "" : `=${toColumn(tenantId)}`;
}

/** The value that was passed to `toTenant`. */
export function fromTenant(column: string): string | undefined {
  return column === "" ? undefined : fromColumn(column.slice(1));
}

/** The column value for a session's owner: a user, or none. */
export function toOwner(userId: string | undefined): string {
  return toTenant(userId);
}

/** The owner of a session that its tenant shares. */
export const sharedOwner = "*";
