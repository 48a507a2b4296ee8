// Runs before page_index.js, in the same world. Says what elements are and look like.
(() => {
  const SAID = [
    "type",
    "name",
    "placeholder",
    "role",
    "aria-label",
    "title",
    "alt",
    "aria-expanded",
    "aria-selected",
    "aria-pressed",
    "aria-current",
    "aria-valuenow",
    "aria-valuetext",
  ];
  /** Words of class names that tell a state which a person sees. */
  const STATE =
    /(?:^|[-_])(active|selected|current|checked|clicked|open|opened|expanded|collapsed|closed|disabled|highlighted|liked)$/i;
  const COLORS = new Map(
    Object.entries({
      black: "000000",
      white: "ffffff",
      red: "ff0000",
      lime: "00ff00",
      blue: "0000ff",
      yellow: "ffff00",
      cyan: "00ffff",
      magenta: "ff00ff",
      gray: "808080",
      silver: "c0c0c0",
      maroon: "800000",
      olive: "808000",
      green: "008000",
      purple: "800080",
      teal: "008080",
      navy: "000080",
      orange: "ffa500",
      pink: "ffc0cb",
      brown: "a52a2a",
      gold: "ffd700",
      violet: "ee82ee",
      indigo: "4b0082",
    }).map(([name, hex]) => [hex, name]),
  );

  const short = (text, most = 160) => {
    const line = (text ?? "").replace(/\s+/g, " ").trim();
    return line.length > most ? `${line.slice(0, most)}…` : line;
  };
  /** Name of a color, else its hexadecimal form; empty for one that cannot be seen. */
  const colorText = (color) => {
    const [, red, green, blue, alpha = "1"] = /^rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)$/.exec(color) ??
      [];
    if (red === undefined || Number(alpha) < 0.1) return "";
    const hex = [red, green, blue].map((part) => Number(part).toString(16).padStart(2, "0")).join("");
    return COLORS.get(hex) ?? `#${hex}`;
  };
  const isGraphic = (element) => element instanceof SVGGeometryElement || element instanceof SVGTextElement;
  const sizeOf = ({ width, height }) => `${Math.round(width)}x${Math.round(height)}`;
  /** The middle of a shape, from the corner of its drawing. */
  const placeOf = (element) => {
    const box = element.getBoundingClientRect();
    const { left, top } = element.ownerSVGElement.getBoundingClientRect();
    return `${Math.round(box.left + box.width / 2 - left)},${Math.round(box.top + box.height / 2 - top)}`;
  };
  const paintOf = (style) => colorText(style.fill) || colorText(style.stroke);
  const cornersOf = (element) => element.points?.numberOfItems ?? 0;

  const labelOf = (element) => {
    if (element.tagName === "svg") return short(element.querySelector(":scope > title")?.textContent);
    const own = short(element.innerText ?? element.textContent);
    if (own !== "" && element.tagName !== "SELECT" && element.tagName !== "TEXTAREA") return own;
    const pictured = element.querySelector?.("img[alt],svg title");
    const labels = Array.from(element.labels ?? [], (label) => label.innerText).join(" ");
    return short(labels || pictured?.getAttribute("alt") || pictured?.textContent || "");
  };
  const valueOf = (element) => {
    const { value, tagName } = element;
    if (tagName === "SELECT") {
      return short(Array.from(element.selectedOptions, ({ text }) => text).join(", "));
    }
    if (typeof value !== "string" || value === "") return null;
    if (element.type === "password") return "•".repeat(Math.min(value.length, 8));
    return short(value, tagName === "TEXTAREA" ? 2_000 : 300);
  };
  /** What tells parts without a label from each other. */
  const lookOf = (element, about) => {
    const style = getComputedStyle(element);
    if (isGraphic(element)) {
      const [color, corners] = [paintOf(style), cornersOf(element)];
      if (color) about.color = color;
      about.size = sizeOf(element.getBoundingClientRect());
      about.at = placeOf(element);
      if (corners > 0) about.corners = String(corners);
      return;
    }
    const isField = /^(?:INPUT|SELECT|TEXTAREA)$/.test(element.tagName);
    const classes = short(element.getAttribute("class"), 60);
    if (element.id && !about.name) about.id = short(element.id, 60);
    if (classes && !isField) about.class = classes;
    const color = isField ? "" : colorText(style.backgroundColor);
    if (color) about.color = color;
  };
  const aboutOf = (element, label) => {
    const about = {};
    for (const name of SAID) {
      const value = element.getAttribute(name);
      if (value) about[name] = short(value);
    }
    if (element.tagName === "A" && element.href) about.href = short(element.getAttribute("href"), 300);
    const value = element.tagName === "LI" ? null : valueOf(element);
    if (value !== null) about.value = value;
    if (element.checked === true || element.getAttribute("aria-checked") === "true") about.checked = "true";
    if (element.matches(":disabled") || element.getAttribute("aria-disabled") === "true") {
      about.disabled = "true";
    }
    if (element.readOnly === true) about.readonly = "true";
    if (element.tagName === "SUMMARY" && element.parentElement?.open) about["aria-expanded"] ??= "true";
    const states = Array.from(element.classList, (name) => STATE.exec(name)?.[1].toLowerCase());
    const state = [...new Set(states.filter(Boolean))].join(" ");
    if (state) about.state = state;
    if (isGraphic(element) || label === "" && !about["aria-label"] && !about.title) lookOf(element, about);
    return about;
  };
  /** A picture by its text, else by the name of its file. */
  const pictureText = (element) => {
    if (element.tagName !== "IMG") return "";
    if (element.alt) return element.alt;
    const { width, height } = element.getBoundingClientRect();
    const file = /^https?:/.test(element.currentSrc)
      ? new URL(element.currentSrc).pathname.split("/").at(-1)
      : "";
    return file && width >= 24 && height >= 24 ? `(picture ${short(file, 60)})` : "";
  };
  /** A filled box without words, such as a bar or a swatch. */
  const boxText = (element, style) => {
    if (!(element instanceof HTMLElement) || element.childElementCount > 0) return "";
    if (element.textContent.trim() !== "" || element.tagName === "IMG") return "";
    const color = colorText(style.backgroundColor);
    const { width, height } = element.getBoundingClientRect();
    return color && width >= 5 && height >= 5 && width <= 200 && height <= 200
      ? `(${color} box ${sizeOf({ width, height })})`
      : "";
  };
  /** A shape of a drawing that is more than an icon. */
  const shapeText = (element, style) => {
    if (!(element instanceof SVGGeometryElement) || element.ownerSVGElement === null) return "";
    const drawing = element.ownerSVGElement.getBoundingClientRect();
    const box = element.getBoundingClientRect();
    const color = paintOf(style);
    if (drawing.width < 40 || drawing.height < 40 || box.width + box.height < 3 || color === "") return "";
    const corners = cornersOf(element) > 0 ? ` ${cornersOf(element)} corners` : "";
    return `(${color} ${element.tagName}${corners} ${sizeOf(box)} at ${placeOf(element)})`;
  };
  globalThis.pageLooks = { aboutOf, boxText, isGraphic, labelOf, pictureText, shapeText, short };
})();
