import wasm from "@hyzyla/pdfium/pdfium.wasm" with { type: "bytes" };

/** PDFium, compiled once in a thread; to be imported only where a PDF is read. */
export const pdfiumModule: WebAssembly.Module = new WebAssembly.Module(wasm);
