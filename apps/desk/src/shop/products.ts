import type { DatabaseSync } from "node:sqlite";
import type { Product } from "./types.ts";

/** Looking up products. */
export interface ProductQueries {
  /** Products whose SKU is the query, or whose name or description has each of its words; at most `limit`. */
  findProducts(query: string, limit?: number): Product[];
}

/** @internal */
export function createProductQueries(database: DatabaseSync): ProductQueries {
  const all = database.prepare(
    "SELECT sku, name, description, price_cents AS priceCents, stock FROM products ORDER BY sku",
  );
  return {
    findProducts(query, limit = 5) {
      const wanted = query
        .toLocaleLowerCase("en")
        .split(/[^\p{L}\p{N}-]+/u)
        .filter((word) => word.length > 1);
      if (wanted.length === 0) return [];
      // The catalogue is small: one scan is simpler than a text index, and finds parts of words.
      return (all.all() as unknown as Product[])
        .filter((product) => {
          if (product.sku.toLowerCase() === query.trim().toLowerCase()) return true;
          const text = `${product.name} ${product.description}`.toLocaleLowerCase("en");
          return wanted.every((word) => text.includes(word));
        })
        .slice(0, limit)
        .map((product) => ({ ...product }));
    },
  };
}
