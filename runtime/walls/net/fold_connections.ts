import type { Connection } from "../../../schemas/net.ts";

/** Stands for more hosts than a list has room for: no host has a space in its name. */
const OTHERS = "other hosts";

const RANKS: Readonly<Record<Connection["decision"], number>> = { allowed: 0, failed: 1, refused: 2 };

/**
 * Shortens a list of connections and loses none, so that many of them hide none: those that are alike become one, and of
 * what is then still too much the last ones, refused ones first, become one for each end.
 *
 * @param most How many may be kept apart
 */
export function foldConnections(connections: readonly Connection[], most: number): Connection[] {
  if (connections.length <= most) return [...connections];
  const different = merged(
    connections,
    ({ who, host, port, address, decision, rule, flag }) =>
      JSON.stringify([who, host, port, address, decision, rule, flag]),
  );
  if (different.length <= most) return different;
  const ranked = different.toSorted((a, b) => RANKS[a.decision] - RANKS[b.decision]);
  const others = ranked.slice(most).map(({ flag: _, reason: __, ...one }): Connection => ({
    ...one,
    host: OTHERS,
    port: 0,
    address: null,
    rule: "",
  }));
  return [
    ...ranked.slice(0, most),
    ...merged(others, ({ who, decision }) => JSON.stringify([who, decision])),
  ];
}

function merged(connections: readonly Connection[], keyOf: (one: Connection) => string): Connection[] {
  const found = new Map<string, Connection>();
  for (const one of connections) {
    const key = keyOf(one);
    const sum = found.get(key);
    if (!sum) found.set(key, { ...one });
    else {
      sum.count = (sum.count ?? 1) + (one.count ?? 1);
      sum.sentBytes += one.sentBytes;
      sum.receivedBytes += one.receivedBytes;
    }
  }
  return [...found.values()];
}
