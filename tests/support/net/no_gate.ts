import type { RunGate } from "../../../runtime/host/net/run_gate.ts";

const refuse = (): Promise<never> => Promise.reject(new Error("this test reaches no network"));

export const noGate: RunGate = {
  proxyFault: () => Promise.resolve(null),
  stand: refuse,
  stood: Promise.resolve(),
  keysOf: () => [],
  maskOf: () => null,
  given: [],
  toolDoor: refuse,
  door: refuse,
  portDoor: refuse,
  folder: refuse,
  kill: refuse,
  knownFolder: null,
  [Symbol.asyncDispose]: () => Promise.resolve(),
};
