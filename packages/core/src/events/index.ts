export { createEventBus } from "./event-bus.ts";
export { eventTable, eventTableMarkdown, type EventRow } from "./event-table.ts";
