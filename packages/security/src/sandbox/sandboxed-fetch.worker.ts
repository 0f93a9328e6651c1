// Loaded by Node before a program in a sandbox with granted hosts.
import { proxiedFetch } from "./inside/proxied-fetch.ts";

const proxy = process.env["HTTPS_PROXY"];
if (proxy !== undefined) globalThis.fetch = proxiedFetch(new URL(proxy));
