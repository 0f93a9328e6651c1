import type { NeededDependencies, Tool } from "@bailiwick/core";

/** The dependencies that the tools need in `ctx.dependencies`. */
export type FittingDependencies<Tools extends readonly Tool[]> =
  unknown extends NeededDependencies<Tools>
    ? unknown
    : { readonly dependencies?: Partial<NeededDependencies<Tools>> | undefined };
