import { acceptedContent, inputRequired, McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";

const form = z.object({ seats: z.number().int().min(1) });

/** A server that asks the user for the number of seats, and books the answer. */
export function bookingServer(booked: unknown[]): McpServer {
  const server = new McpServer({ name: "booking", version: "1" });
  server.registerTool("book", { description: "Books a table." }, async (ctx) => {
    const answered = ctx.mcpReq.inputResponses?.["seats"] as { readonly action?: string } | undefined;
    if (answered === undefined) {
      return inputRequired({
        inputRequests: { seats: inputRequired.elicit({ message: "How many seats?", requestedSchema: form }) },
      });
    }
    if (answered.action !== "accept") {
      booked.push(answered.action);
      return { content: [{ type: "text", text: "nothing booked" }] };
    }
    const content = acceptedContent(ctx.mcpReq.inputResponses, "seats", form);
    booked.push(content);
    return { content: [{ type: "text", text: `booked ${content?.seats}` }] };
  });
  return server;
}
