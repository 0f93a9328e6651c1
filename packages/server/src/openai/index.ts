export { openaiRoutes } from "./openai-routes.ts";
export type { OpenaiRoutesOptions } from "./openai-options.ts";
