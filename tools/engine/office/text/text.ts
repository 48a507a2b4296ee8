import { ToolError } from "../../../../schemas/error.ts";
import type { LeftOut } from "./left_out.ts";

/** Most characters of all text of one file. */
const MAX_CHARS = 32 * 1024 * 1024;

/** One part of a document as text: a sheet, a slide, a cell, or the whole of it. */
export interface Section {
  /** Heading that stands above the text, empty for a document of one part. */
  title: string;
  text: string;
}

/** What a reader of office files works with. */
export interface Reading {
  budget: TextBudget;
  leftOut: LeftOut;
}

/** Counts the text that is taken from one file, so that a small file cannot make endless text. */
export interface TextBudget {
  /** Throws `limit_exceeded` after 33,554,432 characters. */
  spend(chars: number): void;
}

/** Returns a budget for one file. */
export function createTextBudget(): TextBudget {
  let left = MAX_CHARS;
  return {
    spend(chars) {
      left -= chars;
      if (left >= 0) return;
      throw new ToolError(
        "limit_exceeded",
        `The file is not read: it holds more text than the limit of ${MAX_CHARS} characters`,
      );
    },
  };
}

/** Returns text that stays inside one cell of a row: line ends and tabs as blanks. */
export function cellText(text: string): string {
  return text.replace(/[\t\r\n]+/g, " ").trim();
}
