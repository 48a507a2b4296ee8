// Asks the host of releases which version is the newest: it may reach that host and nothing else.
import { type ReleaseScope, serveRelease } from "../self/release/serve_release.ts";
import { sayLoaded } from "../self/say_loaded.ts";

serveRelease(self as unknown as ReleaseScope);

sayLoaded();
