import { priceOf } from "./price.ts";

/** What the customer pays, in cents. */
export function total(items: readonly string[], discount: number): number {
  const sum = items.reduce((cents, item) => cents + priceOf(item), 0);
  return sum - discount;
}
