import type { z } from "zod";

/** In which form an operation tells of failures: our own, that of OpenAI's API, or `detail` as in SGR Agent Core. */
export type ErrorForm = "bulkhead" | "openai" | "detail";

/** Headers of operations that start work. */
export const CLIENT_HEADER = {
  "X-Client-ID": "Whose turn it is, if runs wait. Default: the address of the client.",
} as const;

/** One thing that clients can ask for: what the server checks, what `/openapi.json` says, and who answers. */
export interface Operation {
  /** Names it in `/openapi.json`; main answers by this name. */
  id: string;
  method: "GET" | "POST" | "DELETE";
  /**
   * With `{name}` for each part that differs, such as `/runs/{id}`; at its end `{name+}` for what may hold slashes, whether
   * they are written as `/` or as `%2F`.
   */
  path: string;
  /** One sentence. */
  summary: string;
  /** What it belongs to in the document. */
  tag: string;
  /** Schema of the words behind `?`, all texts. @default none are read */
  query?: z.ZodType;
  /** Schema of the JSON body. @default there is none */
  body?: z.ZodType;
  answer: OperationAnswer;
  /** @default "bulkhead" */
  errors?: ErrorForm;
  /** Answers without a token. @default false */
  isOpen?: boolean;
}

/** What an operation answers when all is well. */
export interface OperationAnswer {
  /** @default 200 */
  status?: number;
  /** What it says, in a sentence. */
  description: string;
  /** Schema of the JSON; without one the answer is of the `type`. */
  json?: z.ZodType;
  /** Media type besides JSON, such as `text/event-stream`. */
  type?: string;
  /** Headers of the request that it depends on, with what they say. @default none */
  headers?: Readonly<Record<string, string>>;
  /** When the answer is 204, without content. @default never */
  empty?: string;
}
