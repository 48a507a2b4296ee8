/** Where the proxy is in a network that boxes of programs join. */
export const PROXY = { host: "127.0.0.1", port: 3128 } as const;

/**
 * Returns the options of nsenter that make a program join the network of a process.
 *
 * @param pid A process in a user namespace of its own: whoever enters that may enter no network outside of it
 */
export function joinedNamespaces(pid: number): string[] {
  return [`--user=/proc/${pid}/ns/user`, `--net=/proc/${pid}/ns/net`, "--preserve-credentials", "--"];
}
