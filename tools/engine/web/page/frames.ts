import type { PageDocument } from "./dom/document.ts";

const MOST_LISTED = 20;
/** What can be seen of a frame is larger, in pixels. */
const LEAST_SIZE = 2;

/** Returns a line for each frame of a page with its address, which a reader may fetch next. */
export function frameLines(document: PageDocument): string[] {
  const addresses = document.querySelectorAll("frame,iframe").flatMap((frame) => {
    const { display, visibility } = frame.style;
    const isSmall = ["width", "height"].some((name) =>
      Number.parseInt(frame.getAttribute(name) ?? "99") < LEAST_SIZE
    );
    if (isSmall || frame.hasAttribute("hidden") || display === "none" || visibility === "hidden") return [];
    const url = URL.parse((frame.getAttribute("src") ?? "").trim(), document.baseURI);
    if (url === null || !/^https?:$/.test(url.protocol) || url.href === document.documentURI) return [];
    const title = (frame.getAttribute("title") ?? frame.getAttribute("name") ?? "").replace(/[[\]\s]+/g, " ")
      .trim();
    return [{
      address: url.href,
      line: `[Frame${title === "" ? "" : `: ${title.slice(0, 100)}`}](${url.href})`,
    }];
  });
  const lines = [...new Map(addresses.map(({ address, line }) => [address, line])).values()];
  const more = lines.length - MOST_LISTED;
  return more > 0 ? [...lines.slice(0, MOST_LISTED), `${more} more frames`] : lines;
}
