// The worker that speaks with the engine of a queue: it may do nothing but reach the engine's nodes.
import { openNatsEngine } from "../queue/inside/nats/nats_engine.ts";
import { type EngineScope, serveEngine } from "../queue/inside/serve_engine.ts";
import { sayLoaded } from "../self/say_loaded.ts";

// A node that fails in a way of its own must not end the link to the others.
self.addEventListener("unhandledrejection", (event) => event.preventDefault());

serveEngine(openNatsEngine, self as unknown as EngineScope);

sayLoaded();
