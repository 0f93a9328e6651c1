export * from "./planner-answer.ts";
