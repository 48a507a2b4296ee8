/** Changes every text of plain data, names included, and leaves all else as it is. */
export function mapTexts<T>(data: T, change: (text: string) => string): T {
  return mapped(data, change) as T;
}

function mapped(data: unknown, change: (text: string) => string): unknown {
  if (typeof data === "string") return change(data);
  if (Array.isArray(data)) return data.map((one) => mapped(one, change));
  if (!isPlain(data)) return data;
  return Object.fromEntries(Object.entries(data).map(([name, one]) => [change(name), mapped(one, change)]));
}

function isPlain(data: unknown): data is Record<string, unknown> {
  return typeof data === "object" && data !== null && Object.getPrototypeOf(data) === Object.prototype;
}
