/** Addresses of IPv4 that lead to no server of the internet, as a URL spells them. */
const OWN_V4 =
  /^(?:0|10|127)\.|^169\.254\.|^192\.168\.|^172\.(?:1[6-9]|2\d|3[01])\.|^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./;
const OWN_NAME = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|private|home\.arpa|svc|test)$/;

/**
 * Says whether an address is one of this machine or its network, as far as the address itself tells: a name that leads there
 * may look like any other.
 */
export function isOfOwnNetwork(address: string): boolean {
  const host = URL.parse(address)?.hostname.replace(/\.$/, "") ?? "";
  if (host.startsWith("[")) return !/^\[[23]/.test(host);
  return OWN_V4.test(host) || OWN_NAME.test(host) || !host.includes(".");
}
