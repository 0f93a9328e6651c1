// Runs in a sandbox with access to some hosts: starts a program and forwards its requests to the proxy outside. See
// `sandbox/proxy/egress-proxy.ts` for the other end.
import { bridgedProgram } from "./inside/bridged-program.ts";

const [socket, command, ...args] = process.argv.slice(2);
if (socket === undefined || command === undefined) process.exit(127);
bridgedProgram(socket, command, args);
