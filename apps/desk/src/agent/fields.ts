import { z } from "zod";

/** A mail, as tools name it. */
export const mailId = z
  .string()
  .regex(/^m-\d+$/i)
  .describe("Id of the mail, such as m-003.");

/** An order, as tools name it. */
export const orderId = z
  .string()
  .regex(/^FH-\d{5}$/i)
  .describe("Order number, such as FH-10214.");
