import { z } from "zod";

import type { Operation } from "./operation.ts";

const tag = "server";

/** What the server says of itself. */
export const SERVER_OPERATIONS: readonly Operation[] = [
  {
    ...{ id: "getHealth", method: "GET", path: "/health", tag, isOpen: true },
    summary: "Says that the server is there.",
    answer: {
      description: "It is.",
      json: z.object({ status: z.literal("healthy"), service: z.string(), version: z.string() }),
    },
  },
  {
    ...{ id: "getOpenApi", method: "GET", path: "/openapi.json", tag },
    summary: "Gives this document.",
    answer: { description: "OpenAPI 3.1.", json: z.record(z.string(), z.unknown()) },
  },
];
