/** A tab of the browser. */
export interface BrowserTab {
  /** It means the same tab for as long as the browser runs. */
  id: number;
  /** Where its page came from. */
  url: string;
  /** As the page says it. */
  title: string;
  /** Actions are for this one. */
  current: boolean;
}

/** A part of a page that can be used. Absent fields are empty. */
export interface PageElement {
  /** Its number. No other element of the session ever has it. */
  number: number;
  /** Name of its HTML element, in small letters. */
  tag: string;
  /** What it shows, or its label. */
  text?: string;
  /** Attributes and states that tell what it is: `name`, `placeholder`, `href`, `value`, `checked` and others. */
  about?: Readonly<Record<string, string>>;
}

/** A line of a page: a part that can be used, or text beside these. */
export type PageLine = PageElement | { text: string };

/** What of a page is in view, or near. */
export interface PageView {
  /** Where it came from, after redirects. */
  url: string;
  /** As the page says it. */
  title: string;
  /** All tabs, in the order in which they opened. */
  tabs: readonly BrowserTab[];
  /** What it shows, from top to bottom. */
  lines: readonly PageLine[];
  /** Lines that were left out, and elements that were not read, because there are too many. */
  more: number;
  /** Pixels of the page above the window, below it, and in it. */
  scroll: { above: number; below: number; height: number };
  /** It is a PDF document, of which only a picture can be seen. */
  isPdf?: boolean;
}
