/** A rectangle in the units of an SVG picture. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** What is drawn of an SVG picture, and where the part to be shown lies in it, in pixels. */
export interface SvgCanvas {
  /** `null` for just the picture. */
  box: Box | null;
  /** Pixels for each unit of the box, or for each pixel of the picture where there is no box. */
  zoom: number;
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Most pixels of a canvas that is drawn and then cut. */
const MAX_PIXELS = 4_194_304;
/** If the picture would shrink further than this, only the picture is drawn. */
const MOST_SHRUNK = 0.25;

/** Groups that are drawn on a layer of their own. */
const LAYER = /<g [^>]*\b(?:opacity|clip-path|mask|filter|style)="/;

/**
 * Plans how an SVG picture is drawn. The renderer fails if a layer lies fully outside its canvas, so the
 * canvas covers everything, and the picture is cut out of it.
 *
 * @param text The picture as the renderer writes it
 * @param size Of the picture, in pixels before the zoom
 * @param content A box around everything that would be drawn
 */
export function svgCanvas(
  text: string,
  { size, content, zoom }: {
    size: { width: number; height: number };
    content: Box | undefined;
    zoom: number;
  },
): SvgCanvas {
  const plain = { box: null, zoom, left: 0, top: 0, ...scaledSize(size, zoom) };
  const view = LAYER.test(text) && content ? shownArea(text, size) : null;
  if (view === null || content === undefined || !isOutside(content, view)) return plain;
  const unit = zoom * size.width / view.width;
  const whole = scaledSize(union(content, view), unit);
  const shrink = Math.min(1, Math.sqrt(MAX_PIXELS / (whole.width * whole.height)));
  return shrink >= MOST_SHRUNK ? wideCanvas(view, content, unit * shrink) : plain;
}

function scaledSize({ width, height }: { width: number; height: number }, zoom: number) {
  return { width: Math.max(1, Math.round(width * zoom)), height: Math.max(1, Math.round(height * zoom)) };
}

/** The part of the drawing that the picture shows; `null` if its two directions are scaled differently. */
function shownArea(text: string, size: { width: number; height: number }): Box | null {
  const root = /^<svg [^>]*>/.exec(text)?.[0] ?? "";
  const [x, y, width, height] = / viewBox="([^"]*)"/.exec(root)?.[1]?.split(" ").map(Number) ?? [];
  if (x === undefined || y === undefined || !(width! > 0) || !(height! > 0)) return null;
  const aspect = / preserveAspectRatio="([^"]*)"/.exec(root)?.[1] ?? "xMidYMid";
  if (aspect.startsWith("none")) return null;
  const ratios = [size.width / width!, size.height / height!];
  const scale = aspect.endsWith("slice") ? Math.max(...ratios) : Math.min(...ratios);
  const shown = { width: size.width / scale, height: size.height / scale };
  return {
    x: x + (width! - shown.width) * alignment(aspect.slice(1, 4)),
    y: y + (height! - shown.height) * alignment(aspect.slice(5, 8)),
    ...shown,
  };
}

function alignment(name: string): number {
  return name === "Min" ? 0 : name === "Max" ? 1 : 0.5;
}

function isOutside(inner: Box, outer: Box): boolean {
  const all = union(inner, outer);
  return Number.isFinite(all.width * all.height) && (all.width > outer.width || all.height > outer.height);
}

function union(one: Box, other: Box): Box {
  const [x, y] = [Math.min(one.x, other.x), Math.min(one.y, other.y)];
  const right = Math.max(one.x + one.width, other.x + other.width);
  const bottom = Math.max(one.y + one.height, other.y + other.height);
  return { x, y, width: right - x, height: bottom - y };
}

/** The picture begins at a whole pixel of the canvas, as it does when only the picture is drawn. */
function wideCanvas(view: Box, content: Box, zoom: number): SvgCanvas {
  const all = union(content, view);
  const left = Math.ceil((view.x - all.x) * zoom);
  const top = Math.ceil((view.y - all.y) * zoom);
  const { width, height } = scaledSize(view, zoom);
  const right = Math.ceil((all.x + all.width - view.x) * zoom);
  const bottom = Math.ceil((all.y + all.height - view.y) * zoom);
  const box = {
    x: view.x - left / zoom,
    y: view.y - top / zoom,
    width: (left + Math.max(width, right)) / zoom,
    height: (top + Math.max(height, bottom)) / zoom,
  };
  return { box, zoom, left, top, width, height };
}
