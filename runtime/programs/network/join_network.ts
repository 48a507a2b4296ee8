import { ToolError } from "../../../schemas/error.ts";
import { joinedNamespaces } from "../../walls/box/joined_network.ts";

/** Closes the network of a box; the first of these words in a command line is that of the box itself. */
const CLOSED = "--unshare-all";

/**
 * Makes a box join the network of another process, instead of having an empty one. Without this, its command line stays
 * one for a box without a network.
 *
 * @param argv The command line of a box
 * @param join `pid` is a process in a user namespace of its own: whoever enters that may enter no network outside of it;
 * `null` changes nothing
 * @throws {ToolError} `unavailable` without util-linux
 */
export function joinNetwork(
  argv: readonly string[],
  { pid, nsenter }: { pid: number | null; nsenter: string | null },
): string[] {
  if (pid === null) return [...argv];
  const at = argv.indexOf(CLOSED);
  if (at === -1 || nsenter === null) {
    throw new ToolError(
      "unavailable",
      "A program in the sandbox needs nsenter of util-linux for the network",
    );
  }
  return [
    nsenter,
    ...joinedNamespaces(pid),
    ...argv.slice(0, at + 1),
    "--share-net",
    ...argv.slice(at + 1),
  ];
}
