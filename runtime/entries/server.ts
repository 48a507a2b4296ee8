// The worker that speaks with clients over HTTP: it may do nothing but listen on its port.
import { type ListenerScope, serveListener } from "../server/inside/serve_listener.ts";
import { sayLoaded } from "../self/say_loaded.ts";

// One client that fails in a way of its own must not end all others.
self.addEventListener("unhandledrejection", (event) => event.preventDefault());

serveListener(self as unknown as ListenerScope, {
  page: async (path) => await (await import("../server/inside/page_files.ts")).readPageFile(path),
});

sayLoaded();
