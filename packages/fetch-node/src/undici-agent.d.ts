/**
 * The agent's own module. The package's index loads over a hundred modules besides, which takes a process that starts
 * longer than everything else of ours; the version of undici is held to patches, since the path is not promised.
 */
declare module "undici/lib/dispatcher/agent.js" {
  import { Agent } from "undici";
  export default Agent;
}
