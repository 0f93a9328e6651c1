import type * as NodeNet from "node:net";
import { nodeModule } from "./node-module.ts";

type Net = typeof NodeNet;

interface Ranges {
  readonly blocked: InstanceType<Net["BlockList"]>;
  /** The part of IPv6 that is assigned to the public internet. The rest is private, reserved, or of overlay networks. */
  readonly assigned: InstanceType<Net["BlockList"]>;
}

let made: Ranges | undefined;

function addressRanges({ BlockList }: Net): Ranges {
  if (made !== undefined) return made;
  const assigned = new BlockList();
  assigned.addSubnet("2000::", 3, "ipv6");
  const blocked = new BlockList();
  for (const [network, prefix] of [
    ["0.0.0.0", 8],
    ["10.0.0.0", 8],
    ["100.64.0.0", 10],
    ["127.0.0.0", 8],
    ["169.254.0.0", 16],
    ["172.16.0.0", 12],
    ["192.0.0.0", 24],
    ["192.0.2.0", 24],
    ["192.88.99.0", 24],
    ["192.168.0.0", 16],
    ["198.18.0.0", 15],
    ["198.51.100.0", 24],
    ["203.0.113.0", 24],
    ["224.0.0.0", 4],
    ["240.0.0.0", 4],
  ] as const) {
    blocked.addSubnet(network, prefix, "ipv4");
  }
  for (const [network, prefix] of [
    // Inside 2000::/3: protocol assignments, documentation, and IPv4 in its translated form.
    ["2001::", 23],
    ["2001:db8::", 32],
    ["2002::", 16],
    ["3fff::", 20],
  ] as const) {
    blocked.addSubnet(network, prefix, "ipv6");
  }
  made = { blocked, assigned };
  return made;
}

/** The IPv4 address inside an IPv4-mapped or NAT64 address. */
function embeddedIpv4(address: string): string | undefined {
  const mapped = /^(?:::ffff:|64:ff9b::)(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped?.[1]) return mapped[1];
  const groups = /^(?:::ffff:|64:ff9b::)([0-9a-f]{1,4}):([0-9a-f]{1,4})$/i.exec(address);
  if (!groups) return undefined;
  const high = Number.parseInt(groups[1] ?? "0", 16);
  const low = Number.parseInt(groups[2] ?? "0", 16);
  return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
}

/** An IPv6 address in its canonical form: one address can be written in many ways. */
function shortForm(address: string): string {
  return new URL(`http://[${address}]`).hostname.slice(1, -1);
}

/**
 * Tests if an address belongs to the public internet: not loopback, private, link-local, multicast, documentation or
 * reserved. Of IPv6, only `2000::/3` is public.
 *
 * @param address - IPv4 or IPv6 address.
 * @see IANA special-purpose address registries
 */
export function isPublicAddress(address: string): boolean {
  const net = nodeModule<Net>("node:net", "guardedFetch");
  const { blocked, assigned } = addressRanges(net);
  const version = net.isIP(address);
  // A zone belongs to this machine, and so do the addresses reached through it.
  if (version === 0 || address.includes("%")) return false;
  if (version === 4) return !blocked.check(address, "ipv4");
  const inner = embeddedIpv4(shortForm(address));
  if (inner !== undefined) return !blocked.check(inner, "ipv4");
  return assigned.check(address, "ipv6") && !blocked.check(address, "ipv6");
}

/**
 * Tests if an address is this machine's loopback.
 *
 * @param address - IPv4 or IPv6 address.
 */
export function isLoopbackAddress(address: string): boolean {
  const version = nodeModule<Net>("node:net", "guardedFetch").isIP(address);
  if (version === 0 || address.includes("%")) return false;
  const plain = version === 4 ? address : shortForm(address);
  return plain === "::1" || (embeddedIpv4(plain) ?? plain).startsWith("127.");
}
