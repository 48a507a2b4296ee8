import type { Target } from "../../../../schemas/access.ts";
import type { ToolContext, WebAnswer, WebRequest } from "../../../../schemas/context.ts";
import { ToolError } from "../../../../schemas/error.ts";
import type { Told } from "../../../../schemas/tool.ts";
import { isOfOwnNetwork } from "./own_network.ts";
import { refuseStatus } from "./refuse_status.ts";
import type { Service } from "./services.ts";

/** What a service is asked. */
export interface ServiceRequest {
  /** Path below the service's address, with its query. */
  path: string;
  method?: "GET" | "POST";
  headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent as the fields of a form. */
  form?: Readonly<Record<string, string>>;
  /** The service shows its answer by leading elsewhere. @default no redirect is followed */
  maxRedirects?: number;
}

/** What may be done to get an answer. */
export interface AskOptions {
  /** Longest time of the whole, in milliseconds. */
  timeoutMs: number;
  /** An answer with an error status is returned as well. @default it is thrown */
  anyStatus?: boolean;
}

type Asking = Pick<ToolContext, "web" | "keys" | "settings">;

/** Most bytes of an answer. Pages of results have some hundred kilobytes. */
const MAX_BYTES = 5 * 1024 * 1024;
/** A search changes nothing, so it is safe to repeat. */
const RETRIES = 2;

/** Says whether a service can be asked: its address is known, and so is its key if it needs one. */
export function isUsable(
  { url, urlVariable, key }: Service,
  { keys, settings }: Told,
): boolean {
  const isThere = url !== null || (settings[urlVariable] ?? "").trim() !== "";
  return isThere && (key === undefined || keys.includes(key.variable));
}

/** Says whether a service can be told to read a page: those of one's own network are told only to services there. */
export function mayRead(service: Service, page: string, told: Told): boolean {
  if (!isUsable(service, told)) return false;
  return !isOfOwnNetwork(page) || isOfOwnNetwork(addressOf(service, told) ?? "");
}

/** Names what a service lacks: the variable with its address or its key. */
export function lackOf(
  { url, urlVariable, key }: Service,
  { keys, settings }: Told,
): string | null {
  if (url === null && (settings[urlVariable] ?? "").trim() === "") return urlVariable;
  return key === undefined || keys.includes(key.variable) ? null : key.variable;
}

/**
 * Returns the addresses of services as targets of a call: several, or `ifNeeded`, are reached only if needed. Services that
 * cannot be asked have none; a wrong address is told when it is asked.
 */
export function serviceTargets(
  services: readonly Service[],
  told: Told,
  { ifNeeded = false }: { ifNeeded?: boolean } = {},
): Target[] {
  const usable = services.filter((service) => isUsable(service, told));
  const addresses = new Set(usable.map((service) => addressOf(service, told)).filter((url) => url !== null));
  const isOne = addresses.size === 1 && !ifNeeded;
  return [...addresses].map((value) => ({ kind: "net", value, ...(!isOne && { ifNeeded: true }) }));
}

/**
 * Asks a service on the network, with its key if the user has set it.
 *
 * @throws {ToolError} `configuration` for an address that is none; `unauthenticated` for a refused key; `rate_limited`;
 * `external_failure`; what the way to the network throws
 */
export async function askService(
  service: Service,
  request: ServiceRequest,
  { timeoutMs, anyStatus = false, context }: AskOptions & { context: Asking },
): Promise<WebAnswer> {
  const { key } = service;
  const address = addressOf(service, context);
  if (address === null) throw wrongAddress(service);
  const answer = await context.web.request({
    url: `${address}${request.path}`,
    ...bodyOf(request),
    ...(key && context.keys.includes(key.variable) && { secret: secretOf(key) }),
    maxBytes: MAX_BYTES,
    maxRedirects: request.maxRedirects ?? 0,
    firstByteMs: timeoutMs,
    timeoutMs,
    retries: RETRIES,
  });
  if (!anyStatus) refuseStatus(service, answer);
  if (answer.truncated) throw failed(service, `its answer is longer than ${MAX_BYTES} bytes`, false);
  return answer;
}

/**
 * Reads an answer as a JSON object.
 *
 * @throws {ToolError} `external_failure` for anything else
 */
export function readJson(service: Service, { body }: WebAnswer): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(body));
  } catch {
    throw failed(service, "its answer is not JSON");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw failed(service, "its answer is not what its documentation says");
  }
  return value as Record<string, unknown>;
}

/** Returns the error for an answer that a service should not give. */
export function failed({ name, label }: Service, reason: string, retryable = true): ToolError {
  return new ToolError("external_failure", `${label} failed: ${reason}`, {
    retryable,
    details: { service: name },
  });
}

/** Returns the address of a service, without a slash at its end; `null` if it is none that can be asked. */
function addressOf({ url, urlVariable }: Service, { settings }: Pick<Told, "settings">): string | null {
  const address = URL.parse(settings[urlVariable]?.trim() || url || "");
  if (address === null || !/^https?:$/.test(address.protocol)) return null;
  const { username, password, search, hash } = address;
  return username + password + search + hash === "" ? address.href.replace(/\/+$/, "") : null;
}

function wrongAddress({ urlVariable }: Service): ToolError {
  const advice = `${urlVariable} must be an address such as https://search.example.com`;
  return new ToolError("configuration", advice, { details: { variable: urlVariable } });
}

function secretOf(
  { variable, header, scheme }: NonNullable<Service["key"]>,
): NonNullable<WebRequest["secret"]> {
  return { name: variable, header, ...(scheme !== undefined && { scheme }) };
}

function bodyOf(
  { method, headers, json, form }: ServiceRequest,
): Pick<WebRequest, "method" | "headers" | "body"> {
  if (json !== undefined) {
    const type = { "content-type": "application/json", accept: "application/json" };
    return { method: "POST", headers: { ...type, ...headers }, body: JSON.stringify(json) };
  }
  if (form !== undefined) {
    const type = { "content-type": "application/x-www-form-urlencoded" };
    return { method: "POST", headers: { ...type, ...headers }, body: new URLSearchParams(form).toString() };
  }
  return { method: method ?? "GET", ...(headers && { headers }) };
}
