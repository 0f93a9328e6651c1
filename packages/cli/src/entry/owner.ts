/** Owner of the runs that a command reads. */
export interface OwnerOptions {
  readonly tenant?: string | undefined;
  readonly user?: string | undefined;
}

/** Turns the options of an owner into the filter of a store. */
export function ownerFilter({ tenant, user }: OwnerOptions): {
  readonly tenantId: string | undefined;
  readonly userId: string | undefined;
  readonly allUsers: true | undefined;
} {
  return { tenantId: tenant, userId: user, allUsers: user === undefined ? true : undefined };
}
