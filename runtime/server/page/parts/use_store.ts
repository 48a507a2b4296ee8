import { useEffect, useState } from "preact/hooks";

import type { Store } from "../state/store.ts";

/** Gives the value of a store, and draws again when it changes. */
export function useStore<Value>(store: Store<Value>): Value {
  const [value, setValue] = useState(store.value);
  useEffect(() => {
    setValue(store.value);
    return store.listen(() => setValue(store.value));
  }, [store]);
  return value;
}

/** Whether Enter shall send what was typed: not while signs are put together, and not for a new line. */
export function sends(event: KeyboardEvent): boolean {
  if (event.key !== "Enter" || event.isComposing || event.keyCode === 229) return false;
  if (event.ctrlKey || event.metaKey) return true;
  return !event.shiftKey && !event.altKey && !matchMedia("(pointer: coarse)").matches;
}
