/** A page that was found or read, with the number under which it is cited. */
export interface KeptSource {
  /** From 1; given once and never moved. */
  number: number;
  /** The page's own, `""` if it has none. */
  title: string;
  /** The address under which it was found first. */
  url: string;
  /** What a search showed of it, `""` if no search found it. */
  snippet: string;
  /** Characters of the content that is kept of it; 0 if it was not opened. */
  charCount: number;
  /** When it was found, ISO 8601. @default not known: an earlier version kept it */
  found?: string;
  /** When it was opened, ISO 8601. @default it was not, or it is not known */
  opened?: string;
}

/** What a session keeps of the tools of a set that find sources, by number. */
export interface KeptSources {
  /** All sources. */
  sources: KeptSource[];
}
