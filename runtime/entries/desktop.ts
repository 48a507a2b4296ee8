// The worker that drives a display. It holds no permission: main passes the bytes on.
import { type DisplayScope, serveDisplay } from "../desktop/inside/serve_display.ts";
import { leaveBareGround } from "../self/bare_ground.ts";
import { sayLoaded } from "../self/say_loaded.ts";

leaveBareGround();

serveDisplay(self as unknown as DisplayScope);

sayLoaded();
