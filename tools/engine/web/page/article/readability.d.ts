// Types of the used part of @mozilla/readability: its own are those of browsers.
import type { PageDocument } from "../dom/document.ts";
import type { PageElement } from "../dom/node.ts";

interface Article {
  title: string | null | undefined;
  content: PageElement | null | undefined;
  byline: string | null | undefined;
  siteName: string | null | undefined;
  lang: string | null | undefined;
  publishedTime: string | null | undefined;
}

interface Options {
  keepClasses: boolean;
  serializer(element: PageElement): PageElement;
}

declare const library: {
  Readability: new (document: PageDocument, options: Options) => { parse(): Article | null };
};
export default library;
