import { isObject } from "./shape.ts";

/**
 * Says what JSON would lose of a value, `null` if nothing: functions, symbols, numbers that are none, and objects of classes
 * that show nothing of what they hold. Fields that are not defined count as absent.
 */
export function jsonProblem(value: unknown): string | null {
  const open: { at: string; value: unknown }[] = [{ at: "", value }];
  const seen = new Set<object>();
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const why = lost(one.value);
    if (why !== null) return `${one.at === "" ? "which is" : `in which "${one.at}" is`} ${why}`;
    if (typeof one.value !== "object" || one.value === null || seen.has(one.value) || "toJSON" in one.value) {
      continue;
    }
    seen.add(one.value);
    for (const [name, inner] of Object.entries(one.value)) {
      open.push({ at: one.at === "" ? name : `${one.at}.${name}`, value: inner });
    }
  }
  return null;
}

function lost(value: unknown): string | null {
  if (typeof value === "function" || typeof value === "symbol" || typeof value === "bigint") {
    return `a ${typeof value}`;
  }
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  if (!isObject(value) || "toJSON" in value) return null;
  const above = Object.getPrototypeOf(value);
  if (above === null || Object.getPrototypeOf(above) === null) return null;
  const isHidden = value instanceof Error || ArrayBuffer.isView(value) || Object.keys(value).length === 0;
  return isHidden
    ? `an object of a class that JSON cannot hold (${value.constructor?.name ?? "unknown"})`
    : null;
}
