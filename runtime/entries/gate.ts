// The worker that is the gate: beside main, the only part that reaches the network for tools and programs.
import type { GateScope } from "../net/serve_gate.ts";
import { sayLoaded } from "../self/say_loaded.ts";

// One connection that fails in a way of its own must not end all others.
self.addEventListener("unhandledrejection", (event) => event.preventDefault());

const scope = self as unknown as GateScope;
const early: MessageEvent[] = [];
// The rest is loaded with the first message: a gate that only stands by may never get one.
scope.onmessage = async (event) => {
  early.push(event);
  if (early.length > 1) return;
  const { serveGate } = await import("../net/serve_gate.ts");
  serveGate(scope);
  for (const one of early) scope.onmessage?.(one);
};

sayLoaded();
