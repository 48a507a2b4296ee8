// The worker that tells traces to a collector: it may do nothing but reach that collector's host.
import { type SenderScope, sendSpans } from "../telemetry/inside/send_spans.ts";
import { sayLoaded } from "../self/say_loaded.ts";

sendSpans(self as unknown as SenderScope);

sayLoaded();
