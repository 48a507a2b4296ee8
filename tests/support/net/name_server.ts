import { createSocket } from "node:dgram";

export type Four = readonly [number, number, number, number];

/**
 * Answers questions about names at the port for them on loopback: for a test with a network of its own.
 *
 * @param addressesOf Returns the addresses of a name, by how often it was asked for
 * @returns The names, and how often each was asked for
 */
export async function nameServer(
  addressesOf: (name: string, count: number) => readonly Four[],
): Promise<ReadonlyMap<string, number>> {
  const asked = new Map<string, number>();
  const found = (name: string) => {
    const count = (asked.get(name) ?? 0) + 1;
    asked.set(name, count);
    return addressesOf(name, count);
  };
  const names = createSocket("udp4");
  names.on("message", (query, { port, address }) => names.send(answer(query, found), port, address));
  await new Promise<void>((bound) => names.bind(53, "127.0.0.1", bound));
  return asked;
}

/** Answers one question about a name; there are no addresses of IPv6. */
function answer(query: Uint8Array, addressesOf: (name: string) => readonly Four[]): Uint8Array {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(new TextDecoder().decode(query.subarray(at + 1, at + 1 + length)));
    at += length + 1;
  }
  const question = query.subarray(12, at + 5);
  const wantsFour = query[at + 2] === 1;
  const found = wantsFour ? addressesOf(labels.join(".").toLowerCase()) : [];
  const records = found.flatMap((address) => [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address]);
  const counts = [0, 1, 0, found.length, 0, 0, 0, 0];
  return Uint8Array.from([query[0]!, query[1]!, 0x81, 0x80, ...counts, ...question, ...records]);
}
