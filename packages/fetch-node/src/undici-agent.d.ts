/**
 * The agent's own module. The package's index loads over a hundred more modules, which takes longer than the rest of
 * a process start; undici is pinned to patch versions, since the path is not part of its API.
 */
declare module "undici/lib/dispatcher/agent.js" {
  import { Agent } from "undici";
  export default Agent;
}
