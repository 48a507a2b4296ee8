// The worker that drives a browser. It holds no permission: main passes the messages on.
import { type DriverScope, serveDriver } from "../browser/inside/serve_driver.ts";
import { leaveBareGround } from "../self/bare_ground.ts";
import { sayLoaded } from "../self/say_loaded.ts";

leaveBareGround();

// A message that fails in a way of its own must not end the worker.
self.addEventListener("unhandledrejection", (event) => event.preventDefault());

serveDriver(self as unknown as DriverScope);

sayLoaded();
