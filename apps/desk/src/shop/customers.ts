import type { DatabaseSync } from "node:sqlite";
import { ShopError } from "./shop-error.ts";
import type { Customer, CustomerNote } from "./types.ts";

/** Looking up customers, and notes about them. */
export interface CustomerQueries {
  /** The customer with this e-mail address, in any case. */
  findCustomer(email: string): Customer | null;
  /** Adds a note once per key. */
  addNote(note: { customerId: string; text: string; author: string; idempotencyKey: string }): CustomerNote;
  countCustomers(): number;
}

interface CustomerRow {
  id: string;
  name: string;
  email: string;
  country: string;
  language: string;
  since: string;
}

/** @internal */
export function createCustomerQueries(database: DatabaseSync, now: () => Date): CustomerQueries {
  const byEmail = database.prepare("SELECT * FROM customers WHERE email = ?");
  const byId = database.prepare("SELECT id FROM customers WHERE id = ?");
  const notesOf = database.prepare(
    "SELECT text, author, created_at AS createdAt FROM notes WHERE customer_id = ? ORDER BY id DESC LIMIT 10",
  );
  const insertNote = database.prepare(
    "INSERT OR IGNORE INTO notes (customer_id, text, author, idempotency_key, created_at) VALUES (?, ?, ?, ?, ?)",
  );
  const noteByKey = database.prepare(
    "SELECT text, author, created_at AS createdAt FROM notes WHERE idempotency_key = ?",
  );
  const count = database.prepare("SELECT count(*) AS n FROM customers");

  return {
    findCustomer(email) {
      const row = byEmail.get(email.trim()) as CustomerRow | undefined;
      if (row === undefined) return null;
      return { ...row, notes: (notesOf.all(row.id) as unknown as CustomerNote[]).map((note) => ({ ...note })) };
    },
    addNote({ customerId, text, author, idempotencyKey }) {
      if (byId.get(customerId) === undefined) {
        throw new ShopError("CUSTOMER_NOT_FOUND", `There is no customer ${customerId}.`);
      }
      insertNote.run(customerId, text, author, idempotencyKey, now().toISOString());
      return { ...(noteByKey.get(idempotencyKey) as unknown as CustomerNote) };
    },
    countCustomers() {
      return (count.get() as { n: number }).n;
    },
  };
}
