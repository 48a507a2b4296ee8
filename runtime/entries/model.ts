// The worker that talks to a model: beside main, the only part that holds its key.
import { type ModelScope, serveModel } from "../model/serve_model.ts";
import { sayLoaded } from "../self/say_loaded.ts";

serveModel(() => import("openai"), self as unknown as ModelScope);

sayLoaded();
