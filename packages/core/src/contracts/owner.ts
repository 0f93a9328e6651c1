/**
 * The tenant and the user that an object belongs to; part of the identity of runs, sessions, kept results and memories.
 * An object without a user belongs to no user, and not to every user.
 */
export interface Owner {
  /** The tenant, in an application with several customers. */
  readonly tenantId?: string | undefined;
  /** The user of the tenant. */
  readonly userId?: string | undefined;
}

/**
 * True if both have the same tenant and the same user.
 *
 * @param one - A tenant and a user; both may be absent.
 * @param other - The tenant and user to compare with.
 */
export function isSameOwner(one: Owner, other: Owner): boolean {
  return (
    (one.tenantId ?? undefined) === (other.tenantId ?? undefined) &&
    (one.userId ?? undefined) === (other.userId ?? undefined)
  );
}
