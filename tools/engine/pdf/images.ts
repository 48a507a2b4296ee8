import { createHash } from "node:crypto";

import { readBitmap } from "./pdfium/bitmap.ts";
import type { Pdfium } from "./pdfium/library.ts";
import { encodePng } from "../encode_png.ts";

const TEXT_OBJECT = 1;
const IMAGE_OBJECT = 3;
const FORM_OBJECT = 5;
const MAX_DEPTH = 8;
/** Most objects that are checked to recognise a scan. */
const MAX_PICTURE_OBJECTS = 100;
/** Most objects that are checked in one document. */
const MAX_OBJECTS = 20_000_000;
/** Longest edge of images that only draw lines and spacers, in pixels. */
const MAX_SPACER_EDGE = 1;
const MAX_PIXELS = 50_000_000;
/** Bytes that are compared to find images which occur twice. */
const MAX_HASHED_BYTES = 64 * 1024 * 1024;

/** An embedded image, ready to be written. */
export interface PdfImage {
  suffix: "png" | "jpg";
  bytes: Uint8Array;
}

/** Finds the images of pages. */
export class PdfImages {
  readonly #pdfium: Pdfium;
  #hashed = 0;
  #objects = 0;

  constructor(pdfium: Pdfium) {
    this.#pdfium = pdfium;
  }

  /** Returns the keys of the images of a loaded page, each once: equal images have equal keys. */
  keys(loaded: number): string[] {
    const facts = [...this.#imageObjects(loaded)].map((object) => this.#describe(object));
    return [...new Set(facts.flatMap((image) => image ? [image.key] : []))];
  }

  /** Returns how many pixels the images of a loaded page have together, as they say. */
  pixels(loaded: number): number {
    const sizes = [...this.#imageObjects(loaded)].map((object) => this.#sizeOf(object));
    return sizes.reduce((sum, [width, height]) => sum + width * height, 0);
  }

  /** Tells whether a loaded page shows images and nothing that may be text, as scans do. */
  isPicture(loaded: number): boolean {
    const { call } = this.#pdfium;
    const count = call.FPDFPage_CountObjects(loaded);
    const types = Array.from(
      { length: Math.min(count, MAX_PICTURE_OBJECTS) },
      (_, index) => call.FPDFPageObj_GetType(call.FPDFPage_GetObject(loaded, index)),
    );
    return types.includes(IMAGE_OBJECT) && !types.includes(TEXT_OBJECT) && !types.includes(FORM_OBJECT);
  }

  /** Takes some of the images out of a loaded page; where one cannot be taken, the reason stands in its place. */
  *extract(loaded: number, wanted: ReadonlySet<string>): Generator<[key: string, file: PdfImage | string]> {
    const left = new Set(wanted);
    for (const object of this.#imageObjects(loaded)) {
      const image = this.#describe(object);
      if (image !== null && left.delete(image.key)) yield [image.key, this.#extract(object, image)];
    }
  }

  *#imageObjects(page: number): Generator<number> {
    const { call } = this.#pdfium;
    const count = call.FPDFPage_CountObjects(page);
    for (let index = 0; index < count && this.#objects++ < MAX_OBJECTS; index++) {
      const object = call.FPDFPage_GetObject(page, index);
      const type = call.FPDFPageObj_GetType(object);
      if (type === IMAGE_OBJECT) yield object;
      else if (type === FORM_OBJECT) yield* this.#formImages(object, 1);
    }
  }

  *#formImages(form: number, depth: number): Generator<number> {
    const { call } = this.#pdfium;
    const count = call.FPDFFormObj_CountObjects(form);
    for (let index = 0; index < count && this.#objects++ < MAX_OBJECTS; index++) {
      const object = call.FPDFFormObj_GetObject(form, index);
      const type = call.FPDFPageObj_GetType(object);
      if (type === IMAGE_OBJECT) yield object;
      else if (type === FORM_OBJECT && depth < MAX_DEPTH) yield* this.#formImages(object, depth + 1);
    }
  }

  #describe(object: number): ImageFacts | null {
    const { call } = this.#pdfium;
    const [width, height] = this.#sizeOf(object);
    if (width <= MAX_SPACER_EDGE || height <= MAX_SPACER_EDGE) return null;
    const rawBytes = call.FPDFImageObj_GetImageDataRaw(object, 0, 0);
    const facts = { width, height, rawBytes };
    return { ...facts, key: `${width}x${height} ${rawBytes} ${this.#hash(object, rawBytes)}` };
  }

  /** Some images have no known size. */
  #sizeOf(object: number): readonly [width: number, height: number] {
    return this.#pdfium.borrow(8, (pointer) => {
      const known = this.#pdfium.call.FPDFImageObj_GetImagePixelSize(object, pointer, pointer + 4);
      const { view } = this.#pdfium;
      return known ? [view.getUint32(pointer, true), view.getUint32(pointer + 4, true)] : [0, 0];
    });
  }

  #hash(object: number, size: number): string {
    this.#hashed += size;
    if (this.#hashed > MAX_HASHED_BYTES) return "";
    return createHash("sha1").update(this.#raw(object, size)).digest("hex");
  }

  #raw(object: number, size: number): Uint8Array {
    if (size === 0) return new Uint8Array();
    return this.#pdfium.borrow(size, (pointer) => {
      this.#pdfium.call.FPDFImageObj_GetImageDataRaw(object, pointer, size);
      return this.#pdfium.bytes.slice(pointer, pointer + size);
    });
  }

  /** Returns why not, where it cannot. */
  #extract(
    object: number,
    { width, height, rawBytes }: ImageFacts,
  ): PdfImage | string {
    if (width * height > MAX_PIXELS) return `${width} x ${height} pixels are more than ${MAX_PIXELS}`;
    if (this.#filters(object).join() === "DCTDecode") {
      const bytes = this.#raw(object, rawBytes);
      if (bytes[0] === 0xff && bytes[1] === 0xd8) return { suffix: "jpg", bytes };
    }
    const { call } = this.#pdfium;
    const bitmap = call.FPDFImageObj_GetBitmap(object);
    if (bitmap === 0) return "it cannot be decoded";
    try {
      const pixels = readBitmap(this.#pdfium, bitmap);
      return pixels ? { suffix: "png", bytes: encodePng(pixels) } : "its pixels have an unknown form";
    } finally {
      call.FPDFBitmap_Destroy(bitmap);
    }
  }

  #filters(object: number): string[] {
    const { call } = this.#pdfium;
    return Array.from({ length: Math.min(8, call.FPDFImageObj_GetImageFilterCount(object)) }, (_, index) => {
      const size = call.FPDFImageObj_GetImageFilter(object, index, 0, 0);
      return this.#pdfium.borrow(size + 1, (pointer) => {
        call.FPDFImageObj_GetImageFilter(object, index, pointer, size);
        return new TextDecoder().decode(this.#pdfium.bytes.slice(pointer, pointer + Math.max(0, size - 1)));
      });
    });
  }
}

interface ImageFacts {
  width: number;
  height: number;
  rawBytes: number;
  /** Equal for equal images. */
  key: string;
}
