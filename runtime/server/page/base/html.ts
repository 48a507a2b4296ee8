import htm from "htm";
import { h, type VNode } from "preact";

/** Makes elements from a template; what stands in `${}` is text, and never markup. */
export const html: (parts: TemplateStringsArray, ...values: unknown[]) => VNode =
  (htm as unknown as { bind(make: typeof h): typeof html }).bind(h);
