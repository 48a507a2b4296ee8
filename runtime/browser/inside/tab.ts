import type { CDPSession, Page } from "puppeteer-core";

/** A tab as it is driven. */
export interface Tab {
  readonly id: number;
  readonly page: Page;
  readonly session: CDPSession;
  /** Its page is on its way. */
  loading: boolean;
  /** Until when it is expected to begin to load, as `performance.now()` counts. */
  expectedUntil: number;
  /** What it loaded last was no page: a download takes its place. */
  gotNoPage: boolean;
  /** The request for its next page; `null` if none is on its way. Until it is answered, the browser answers nothing for the tab. */
  asked: NextPage | null;
  /** Its page is a PDF document. */
  isPdf: boolean;
  /** Settles when the page's process ends by itself; then there is another promise for the next one. */
  crash: PromiseWithResolvers<void>;
  /** Its page's process has ended by itself. */
  hasCrashed: boolean;
}

/** The request for a page that is on its way. */
export interface NextPage {
  /** The browser's own id of it. */
  id: string;
  url: string;
  /** Status of the answer; `null` before there is one. */
  status: number | null;
  isPdf: boolean;
}
