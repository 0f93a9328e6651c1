import type { ResolvedTool } from "@bailiwick/core";

import { isFetchable, isUrl, namesMember } from "./egress.ts";
import { segment, stepsOf } from "./paths.ts";
import type { Leaf } from "./leaves.ts";
import { placeAt } from "./tool-roles.ts";
import type { ArgumentPlace, Role, ToolRoles } from "./tool-roles.ts";

/** A leaf of a call's arguments with its role. */
export interface ArgumentLeaf extends Leaf {
  readonly role: Role;
  /** True if `flow.authority` or `flow.egress` lists the argument. */
  readonly declared: boolean;
}

/** Maximum number of member names remembered for one place, because a model can invent any number of them. */
const membersKept = 256;

/** The leaves of a call's arguments, each with its role. */
export function argumentLeaves(tool: ResolvedTool, roles: ToolRoles, args: unknown): readonly ArgumentLeaf[] {
  const leaves: ArgumentLeaf[] = [];
  collect({ tool, roles, leaves }, args, roles.place, "");
  return leaves;
}

interface Collecting {
  readonly tool: ResolvedTool;
  readonly roles: ToolRoles;
  readonly leaves: ArgumentLeaf[];
}

function collect(collecting: Collecting, value: unknown, place: ArgumentPlace, location: string): void {
  if (Array.isArray(value) && value.length > 0) {
    const { tool, roles } = collecting;
    const each = (place.items ??= placeAt(tool, roles, `${place.path}[]`));
    for (let index = 0; index < value.length; index += 1)
      collect(collecting, value[index], each, `${location}[${index}]`);
    return;
  }
  if (typeof value === "object" && value !== null) {
    const keys = Object.keys(value);
    for (const key of keys) {
      const member = memberOf(collecting, place, key);
      let inside = member.path;
      // Outside of arrays, a place and its path are the same text.
      if (location !== place.path) inside = segment(location, key);
      if (member.nameSends)
        collecting.leaves.push({ path: member.path, location: inside, value: key, role: "egress", declared: false });
      collect(collecting, (value as Record<string, unknown>)[key], member, inside);
    }
    if (keys.length > 0) return;
  }
  const { path, role, declared } = place;
  // A URL decides where bytes go, whatever the name of its argument [flow.r5].
  const sends =
    role !== "egress" && !collecting.roles.pure && (isUrl(value) || (role !== "payload" && isFetchable(value)));
  collecting.leaves.push(
    sends ? { path, location, value, role: "egress", declared: false } : { path, location, value, role, declared },
  );
}

function memberOf({ tool, roles }: Collecting, place: ArgumentPlace, key: string): ArgumentPlace {
  let member = place.members.get(key);
  if (member === undefined) {
    const made = placeAt(tool, roles, segment(place.path, key));
    // [flow.r5.names] Below an egress argument, or in a member whose name is a URL, the name decides where bytes go,
    // like a value.
    const sends = place.role === "egress" || isUrl(key) || (made.role !== "payload" && isFetchable(key));
    const isData = sends && !roles.pure && !namesMember(tool.__inputJsonSchema, stepsOf(place.path)!, key);
    member = { ...made, nameSends: isData };
    // A cache: a missing entry is computed again.
    if (place.members.size < membersKept) place.members.set(key, member);
  }
  return member;
}
