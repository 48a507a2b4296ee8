const PRICES: Readonly<Record<string, number>> = { tea: 450, cup: 1250, pot: 3900 };

/** Price of an item in cents. */
export function priceOf(item: string): number {
  const price = PRICES[item];
  if (price === undefined) throw new RangeError(`No price for "${item}"`);
  return price;
}
