import { lstat } from "../../walls/files/file_facts.ts";
import { followLinks } from "../../walls/files/follow_links.ts";

/** Where a path leads. */
export interface Led {
  /** The links on the way, where they lie. */
  links: readonly string[];
  /** Behind all links; what is missing is taken as it is written. */
  end: string;
}

/** What was there at paths. */
export type KnownEntries = Map<string, Deno.FileInfo | null>;

/**
 * Follows all links of a path, also where the end is missing. A circle ends where it begins. Needs `read`.
 *
 * @param known What was seen a moment ago, and takes what is seen now
 */
export function linksTo(path: string, known: KnownEntries = new Map()): Led {
  const links: string[] = [];
  const end = followLinks(path, ["/"], {
    lstat(at) {
      const seen = known.get(at);
      if (seen !== undefined) return seen;
      const info = lstat(at);
      known.set(at, info);
      return info;
    },
    readLink(at) {
      links.push(at);
      return Deno.readLinkSync(at);
    },
  });
  return { links: [...new Set(links)], end: end ?? path };
}
