import { defineConfig, type BailiwickConfig } from "bailiwick";
import { openDesk } from "./src/agent.ts";

const config: BailiwickConfig = defineConfig({ agents: [openDesk().agent] });
export default config;
