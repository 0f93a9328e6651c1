import { argv, stdout } from "node:process";
import { fetchNode } from "@bailiwick/fetch-node";

/** A process that requests an address and prints the answer: `node ask-through-proxy.fixture.ts <url>`. */
const response = await fetchNode()(argv[2] ?? "");
stdout.write(`${response.status} ${await response.text()}`);
