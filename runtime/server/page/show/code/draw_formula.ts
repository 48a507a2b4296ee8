import temml from "temml";

/** Draws a formula into an element, which stays as it is if the formula is not understood. */
export function drawFormula(tex: string, isBlock: boolean, into: HTMLElement): void {
  const drawn = document.createElement("span");
  try {
    temml.render(tex, drawn, {
      displayMode: isBlock,
      throwOnError: true,
      // No links, no pictures, no attributes from a formula.
      trust: false,
      maxSize: [10, 100],
      maxExpand: 300,
    });
  } catch {
    return;
  }
  into.replaceChildren(...drawn.childNodes);
}
