import { PDFiumModule } from "@hyzyla/pdfium";

import { pdfiumModule } from "./wasm.ts";

/** Largest memory of one document, in bytes: what inflates beyond it is refused. */
const MAX_MEMORY = 256 * 1024 * 1024;

/** The functions of PDFium by their documented names; pointers and results are numbers. */
type Functions = Record<FunctionName, (...values: number[]) => number>;

type FunctionName =
  | "malloc"
  | "free"
  | "FPDF_InitLibrary"
  | "FPDF_LoadMemDocument"
  | "FPDF_GetLastError"
  | "FPDF_GetPageCount"
  | "FPDF_GetFormType"
  | "FPDFDoc_GetAttachmentCount"
  | "FPDF_GetMetaText"
  | "FPDF_LoadPage"
  | "FPDF_ClosePage"
  | "FPDF_GetPageWidthF"
  | "FPDF_GetPageHeightF"
  | "FPDF_RenderPageBitmap"
  | "FPDF_FFLDraw"
  | "FPDFDOC_InitFormFillEnvironment"
  | "FPDFText_LoadPage"
  | "FPDFText_ClosePage"
  | "FPDFText_CountChars"
  | "FPDFText_GetText"
  | "FPDFText_GetLooseCharBox"
  | "FPDFText_GetUnicode"
  | "FPDFText_CountRects"
  | "FPDFText_GetRect"
  | "FPDFText_GetBoundedText"
  | "FPDFText_SetText"
  | "FPDFTextObj_GetFontSize"
  | "FPDFPage_Flatten"
  | "FPDFPage_InsertObjectAtIndex"
  | "FPDFPage_RemoveObject"
  | "FPDFPage_GetAnnotCount"
  | "FPDFPage_GetAnnot"
  | "FPDFPage_CloseAnnot"
  | "FPDFAnnot_GetSubtype"
  | "FPDFAnnot_HasKey"
  | "FPDFAnnot_GetLink"
  | "FPDFAnnot_GetRect"
  | "FPDFLink_GetAction"
  | "FPDFAction_GetType"
  | "FPDFAction_GetURIPath"
  | "FPDFPage_CountObjects"
  | "FPDFPage_GetObject"
  | "FPDFFormObj_CountObjects"
  | "FPDFFormObj_GetObject"
  | "FPDFPageObj_GetType"
  | "FPDFPageObj_GetBounds"
  | "FPDFPageObj_GetMatrix"
  | "FPDFPageObj_SetMatrix"
  | "FPDFPageObj_NewTextObj"
  | "FPDFPageObj_CountMarks"
  | "FPDFPageObj_GetMark"
  | "FPDFPageObj_GetMarkedContentID"
  | "FPDFPageObjMark_GetParamBlobValue"
  | "FPDF_StructTree_GetForPage"
  | "FPDF_StructTree_Close"
  | "FPDF_StructTree_CountChildren"
  | "FPDF_StructTree_GetChildAtIndex"
  | "FPDF_StructElement_GetActualText"
  | "FPDF_StructElement_GetMarkedContentIdCount"
  | "FPDF_StructElement_GetMarkedContentIdAtIndex"
  | "FPDF_StructElement_GetChildMarkedContentID"
  | "FPDF_StructElement_CountChildren"
  | "FPDF_StructElement_GetChildAtIndex"
  | "FPDFImageObj_GetImagePixelSize"
  | "FPDFImageObj_GetImageFilterCount"
  | "FPDFImageObj_GetImageFilter"
  | "FPDFImageObj_GetImageDataRaw"
  | "FPDFImageObj_GetBitmap"
  | "FPDFBitmap_CreateEx"
  | "FPDFBitmap_FillRect"
  | "FPDFBitmap_Destroy"
  | "FPDFBitmap_GetBuffer"
  | "FPDFBitmap_GetWidth"
  | "FPDFBitmap_GetHeight"
  | "FPDFBitmap_GetStride"
  | "FPDFBitmap_GetFormat";

/** One PDFium with a memory of its own, for one document at a time. */
export class Pdfium {
  readonly call: Functions;
  readonly #memory: WebAssembly.Memory;
  readonly #growth: { refused: boolean };
  /** The memory before the first document, up to its last used byte. */
  readonly #start: Uint8Array;

  private constructor(exports: WebAssembly.Exports, growth: { refused: boolean }) {
    this.call = exports as unknown as Functions;
    this.#memory = exports.memory as WebAssembly.Memory;
    this.#growth = growth;
    this.call.FPDF_InitLibrary();
    const last = new Uint32Array(this.#memory.buffer).findLastIndex((word) => word !== 0);
    this.#start = this.bytes.slice(0, (last + 1) * 4);
  }

  /** Starts a PDFium. */
  static async open(): Promise<Pdfium> {
    const growth = { refused: false };
    const { promise, resolve } = Promise.withResolvers<WebAssembly.Exports>();
    await PDFiumModule({
      locateFile: () => "",
      // The error already says why it ended.
      ...{ print: () => {}, printErr: () => {} },
      instantiateWasm(imports, onInstance) {
        const instance = new WebAssembly.Instance(pdfiumModule, boundMemory(imports, growth));
        // The types of the library name only the first argument, and wrongly: it is the instance.
        onInstance(instance as unknown as WebAssembly.Module);
        resolve(instance.exports);
        return instance.exports;
      },
    });
    return new Pdfium(await promise, growth);
  }

  /** Resets it to its state before the first document. Not for use after an error. */
  reset(): void {
    this.bytes.fill(0, this.#start.length);
    this.bytes.set(this.#start);
  }

  /** It asked for more memory than a document may take. */
  get burst(): boolean {
    return this.#growth.refused;
  }

  /** The memory as it is now; each call into PDFium may replace it. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#memory.buffer as ArrayBuffer);
  }

  get view(): DataView {
    return new DataView(this.#memory.buffer);
  }

  /** Gives memory to some work and frees it afterwards. */
  borrow<T>(size: number, work: (pointer: number) => T): T {
    const pointer = this.call.malloc(size);
    if (pointer === 0) throw new RangeError(`PDFium has no memory for ${size} bytes`);
    try {
      return work(pointer);
    } finally {
      this.call.free(pointer);
    }
  }

  /** Puts bytes into its memory, for good. */
  place(bytes: Uint8Array): number {
    const pointer = this.call.malloc(bytes.length);
    if (pointer === 0) throw new RangeError(`PDFium has no memory for ${bytes.length} bytes`);
    this.bytes.set(bytes, pointer);
    return pointer;
  }
}

function boundMemory(imports: WebAssembly.Imports, growth: { refused: boolean }): WebAssembly.Imports {
  const env = imports.env as Record<string, WebAssembly.ImportValue>;
  const grow = env.emscripten_resize_heap as (size: number) => unknown;
  const bounded = (size: number) => {
    // Sizes over 2 GB arrive as negative numbers.
    const grown = (size >>> 0) <= MAX_MEMORY && grow(size >>> 0);
    if (!grown) growth.refused = true;
    return grown;
  };
  return { ...imports, env: { ...env, emscripten_resize_heap: bounded } };
}
