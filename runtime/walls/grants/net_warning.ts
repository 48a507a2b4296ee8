import type { Grants } from "../../../schemas/grants.ts";
import { PUBLIC_HOSTS } from "./policies.ts";

/** Returns a warning if hosts were named that programs in a sandbox do not reach, `null` otherwise. */
export function netWarning({ allow: { net }, shareNet }: Grants): string | null {
  const named = net === true ? [] : net.filter((host) => host !== PUBLIC_HOSTS);
  if (shareNet || named.length === 0) return null;
  return `--allow-net=${named.join(",")} is for tools: programs in the sandbox have no network; ` +
    "--share-net gives them all of it";
}
