import { ToolError } from "../../../schemas/error.ts";
import { parseJson } from "../../../schemas/json/json_text.ts";
import { describeMismatch } from "../../../schemas/json/mismatch.ts";
import { isObject } from "../../../schemas/json/shape.ts";
import type { JsonSchema } from "../../../schemas/manifest.ts";
import { canonicalJson } from "../../text/canonical_json.ts";
import { ANSWER, CARD, NARROWING_FIELDS, ORDER, TOLD } from "./order_schemas.ts";
import type { Order, OrderAnswer, OrderTold, OrderWork, WorkerCard } from "./orders.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Writes what goes through the queue. */
export function toBody(value: Order | OrderAnswer | OrderTold | WorkerCard): Uint8Array<ArrayBuffer> {
  return encoder.encode(JSON.stringify(value));
}

/**
 * Reads an order. Whoever can write into the queue may have written anything.
 *
 * @throws {ToolError} `invalid_input`
 */
export function readOrder(body: Uint8Array): Order {
  const order = read(body, "order", ORDER) as Order;
  // A field that is not understood could be one that takes something away.
  const unknown = Object.keys(order.terms.grants ?? {}).filter((name) => !NARROWING_FIELDS.includes(name));
  if (unknown.length === 0) return order;
  throw new ToolError("invalid_input", `Cannot read an order: grants has the unknown ${unknown.join(", ")}`);
}

/**
 * Reads how an order came out. A worker may say anything.
 *
 * @throws {ToolError} `external_failure`
 */
export function readAnswer(body: Uint8Array): OrderAnswer {
  try {
    return read(body, "answer", ANSWER) as OrderAnswer;
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    throw new ToolError("external_failure", `A worker answered with what is no answer: ${error.message}`);
  }
}

/** Reads what is told while an order is at work; `null` for what is nothing of the kind. */
export function readTold(body: Uint8Array): OrderTold | null {
  return readOrNull(body, "event", TOLD) as OrderTold | null;
}

/** Reads the card of a worker; `null` for what is none, or of another version. */
export function readCard(body: Uint8Array): WorkerCard | null {
  return readOrNull(body, "card", CARD) as WorkerCard | null;
}

/** Returns the digest of work: 16 bytes in base 16. */
export async function digestOf(work: OrderWork | readonly unknown[]): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", encoder.encode(canonicalJson(work)));
  return [...new Uint8Array(hash, 0, 16)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function read(body: Uint8Array, what: string, schema: JsonSchema): unknown {
  const value = parseJson(decoder.decode(body), `the ${what}`);
  const problems = isObject(value) ? describeMismatch(schema, value) : ["It is no object."];
  if (problems.length === 0) return value;
  throw new ToolError("invalid_input", `Cannot read the ${what}: ${problems.join(" ")}`);
}

function readOrNull(body: Uint8Array, what: string, schema: JsonSchema): unknown {
  try {
    return read(body, what, schema);
  } catch (error) {
    if (error instanceof ToolError) return null;
    throw error;
  }
}
