// A stdio server that exits if the first message is not the handshake of its protocol version.
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { trackerServer } from "./tracker.fixture.ts";

const transport = new StdioServerTransport();
await trackerServer().connect(transport);
const take = transport.onmessage;
let isFirst = true;
// oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport is not an event target
transport.onmessage = (message) => {
  if (isFirst && !("method" in message && message.method === "initialize")) process.exit(1);
  isFirst = false;
  take?.(message);
};
