import type { Owner } from "@bailiwick/core";

/** Owner of the runs that a command reads. */
export interface OwnerOptions {
  readonly tenant?: string | undefined;
  readonly user?: string | undefined;
}

/** True for a run that a command with these options may name: any run, unless they name an owner. */
export function isOwnedBy(run: Owner, { tenant, user }: OwnerOptions): boolean {
  if (tenant === undefined && user === undefined) return true;
  return (run.tenantId ?? undefined) === tenant && (user === undefined || run.userId === user);
}

/** The hint of an empty list: without `--tenant` a command lists only runs without a tenant. */
export function ofTenants(tenant: string | undefined): string {
  return tenant === undefined ? " Add --tenant for the runs of a tenant." : "";
}

/** Turns the options of an owner into the filter of a store. */
export function ownerFilter({ tenant, user }: OwnerOptions): {
  readonly tenantId: string | undefined;
  readonly userId: string | undefined;
  readonly allUsers: true | undefined;
} {
  return { tenantId: tenant, userId: user, allUsers: user === undefined ? true : undefined };
}
