import type { TextPage } from "./text_page.ts";

/** Where something stands on a page, in points from the lower left corner. */
export interface Box {
  left: number;
  right: number;
  bottom: number;
  top: number;
}

/** Where the characters of a page stand that PDFium has opened for text. */
export class TextBoxes {
  readonly #page: TextPage;
  readonly #pointer: number;
  #view: DataView;

  private constructor(page: TextPage, pointer: number) {
    this.#page = page;
    this.#pointer = pointer;
    this.#view = page.pdfium.view;
  }

  /** Gives them to some work and frees them afterwards. */
  static use<T>(page: TextPage, work: (boxes: TextBoxes) => T): T {
    return page.pdfium.borrow(32, (pointer) => work(new TextBoxes(page, pointer)));
  }

  /** Returns the box of a character, as high as its font; `null` if it has no box. */
  ofCharacter(index: number): Box | null {
    const { pdfium, handle } = this.#page;
    const at = this.#pointer;
    if (!pdfium.call.FPDFText_GetLooseCharBox(handle, index, at)) return null;
    const view = this.#fresh();
    return {
      left: view.getFloat32(at, true),
      top: view.getFloat32(at + 4, true),
      right: view.getFloat32(at + 8, true),
      bottom: view.getFloat32(at + 12, true),
    };
  }

  /**
   * Returns a box around the ink of each object that some characters belong to: -1 is all; empty for more
   * than `most`.
   */
  ofObjects(from: number, characters: number, most = Infinity): Box[] {
    const { pdfium: { call }, handle } = this.#page;
    const at = this.#pointer;
    const count = call.FPDFText_CountRects(handle, from, characters);
    if (count > most) return [];
    return Array.from({ length: count }, (_, index) => {
      call.FPDFText_GetRect(handle, index, at, at + 8, at + 16, at + 24);
      const view = this.#fresh();
      return {
        left: view.getFloat64(at, true),
        top: view.getFloat64(at + 8, true),
        right: view.getFloat64(at + 16, true),
        bottom: view.getFloat64(at + 24, true),
      };
    });
  }

  /** A call may have made the memory grow, which leaves the view empty. */
  #fresh(): DataView {
    if (this.#view.buffer.byteLength === 0) this.#view = this.#page.pdfium.view;
    return this.#view;
  }
}
