import { followLinks } from "../../walls/files/follow_links.ts";

/** Where a path leads. */
export interface Led {
  /** The links on the way, where they lie. */
  links: readonly string[];
  /** Behind all links; what is missing is taken as it is written. */
  end: string;
}

/** Follows all links of a path, also where the end is missing. A circle ends where it begins. Needs `read`. */
export function linksTo(path: string): Led {
  const links: string[] = [];
  const end = followLinks(path, ["/"], {
    lstat(at) {
      try {
        return Deno.lstatSync(at);
      } catch {
        return null;
      }
    },
    readLink(at) {
      links.push(at);
      return Deno.readLinkSync(at);
    },
  });
  return { links: [...new Set(links)], end: end ?? path };
}
