import { HeldNames } from "../../../runtime/state/held_names.ts";

/** A session that lasts as long as the test, with copies of the values as main keeps them. */
export function keptSession() {
  const values = new Map<string, string>();
  const names = new HeldNames();
  const asked: string[] = [];
  return {
    values,
    asked,
    get(key: string) {
      asked.push(key);
      return Promise.resolve(values.has(key) ? JSON.parse(values.get(key)!) : undefined);
    },
    set: (key: string, value: unknown) => Promise.resolve(void values.set(key, JSON.stringify(value))),
    async alone<T>(name: string, work: () => Promise<T>) {
      using _ = await names.hold(name, new AbortController().signal);
      return await work();
    },
  };
}
