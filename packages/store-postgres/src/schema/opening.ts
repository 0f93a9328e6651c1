import type { UseConnection } from "../connection/database.ts";
import { longestMigrationMs, openSchema } from "./open-schema.ts";
import type { SchemaSettings } from "./open-schema.ts";

/** Opens a schema on first use; if that fails, the next use tries again. */
export function createOpening(settings: SchemaSettings): (use: UseConnection) => Promise<void> {
  let opening: Promise<void> | undefined;
  return (use) => {
    opening ??= use(longestMigrationMs, (ask) => openSchema(ask, settings)).catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
}
