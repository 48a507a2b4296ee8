const PICTURE = /^data:image\/(?:png|jpeg|gif|webp|avif|svg\+xml)[;,]/i;
/** Files of runs, and nothing else of the server. */
const RUN_FILE = /^\/runs\/[\w-]+\/files\/[^/?#\\]+$/;

/** The address that a link may open, in a tab of its own; `null` if the page shows it as a text only. */
export function linkAddress(address: string): string | null {
  const url = URL.parse(address);
  return url && ["http:", "https:", "mailto:"].includes(url.protocol) ? url.href : null;
}

/** The address that a picture may be loaded from; `null` if it lies outside, where the page loads nothing. */
export function pictureAddress(address: string): string | null {
  return PICTURE.test(address) || RUN_FILE.test(address) ? address : null;
}
