import { type ErrorInfo, ToolError } from "../../../schemas/error.ts";
import type { PageScan, ScanJob } from "./scan.ts";

/** Asks a helper thread to take part in a job. */
export interface ScanRequest {
  bytes: SharedArrayBuffer;
  password: string | undefined;
  job: ScanJob;
}

/** What a helper thread answers: pages as they are done, and at last that there are no more, or why it cannot go on. */
export type ScanAnswer = { scans: PageScan[] } | { end: ErrorInfo | null };

/** Serves scans of PDF files in a helper thread, one after the other, until the port closes. Needs no permission. */
export function servePdfThread(port: MessagePort): void {
  const post = (answer: ScanAnswer) => port.postMessage(answer);
  port.onmessage = async ({ data }: MessageEvent<ScanRequest>) => {
    try {
      await serveScan(data, post);
      post({ end: null });
    } catch (error) {
      const known = error instanceof ToolError ? error : new ToolError("internal", String(error));
      post({ end: known.toInfo() });
    }
  };
}

async function serveScan(
  { bytes, password, job }: ScanRequest,
  post: (answer: ScanAnswer) => void,
): Promise<void> {
  // Loaded when it is needed: most rooms of this kind read short documents.
  const [{ withPdf }, { scanNext }] = await Promise.all([import("./pdfium/open.ts"), import("./scan.ts")]);
  await withPdf({ bytes: new Uint8Array(bytes), password }, (document) => {
    for (let scans = scanNext(document, job); scans !== null; scans = scanNext(document, job)) {
      post({ scans });
    }
    return Promise.resolve();
  });
}
