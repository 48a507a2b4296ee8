import * as z from "zod";

/** A page of the web as text. */
export const page = z.object({
  /** The address that was asked for, without its part after `#`. */
  asked: z.string(),
  /** The part that a reader wants, or all that the page shows. */
  want: z.enum(["article", "page"]),
  /** Where it came from, after redirects. */
  url: z.string(),
  /** Status of the server's answer. */
  status: z.int(),
  /** Empty if it has none. */
  title: z.string(),
  author: z.string().nullable(),
  /** When it was published, as the page says it. */
  date: z.string().nullable(),
  language: z.string().nullable(),
  /** Markdown for pages, the text itself for other kinds. */
  text: z.string(),
  links: z.int(),
  images: z.int(),
  /** What was left out, repaired or guessed. */
  notes: z.array(z.string()),
  /** When it was fetched, in milliseconds since the epoch. */
  fetchedAt: z.number(),
});

/** One of {@linkcode page}. */
export type Page = z.output<typeof page>;
