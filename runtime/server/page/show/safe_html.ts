import purify, { type Config } from "dompurify";

/** Classes that may stand in made HTML: all others belong to the page itself. */
const CLASSES = /^(?:hljs(?:-[\w-]+)?|language-[\w+#.-]+|code|formula|diagram|task)$/;
/** Pictures that need no request to elsewhere. */
const OWN_PICTURE = /^(?:data:image\/(?:png|jpeg|gif|webp);base64,|\/runs\/)/;

const SAFE: Config = {
  USE_PROFILES: { html: true },
  FORBID_TAGS: ["style", "form", "button", "select", "textarea", "audio", "video", "source", "map", "area"],
  FORBID_ATTR: ["style", "id", "name", "srcset", "background", "usemap", "autofocus", "tabindex", "role"],
  ALLOW_ARIA_ATTR: false,
  ALLOW_DATA_ATTR: false,
  ADD_ATTR: ["data-display"],
};

let isReady = false;

/** Makes HTML safe: no program, no style, no request to elsewhere, and nothing that looks like a part of the page. */
export function safeHtml(html: string): string {
  if (!isReady) {
    purify.addHook("afterSanitizeAttributes", tame);
    isReady = true;
  }
  return purify.sanitize(html, SAFE);
}

/** Makes the markup of a formula safe. */
export function safeFormula(markup: string): string {
  return purify.sanitize(markup, { USE_PROFILES: { mathMl: true }, FORBID_ATTR: ["style", "href", "id"] });
}

function tame(node: Element): void {
  const classes = [...node.classList].filter((name) => CLASSES.test(name) || node.closest("math"));
  if (node.hasAttribute("class")) node.setAttribute("class", classes.join(" "));
  if (node.localName === "a") {
    node.setAttribute("target", "_blank");
    node.setAttribute("rel", "noopener noreferrer");
  } else if (node.localName === "img") keepOwnPicture(node);
  else if (node.localName === "input" && node.getAttribute("type") !== "checkbox") node.remove();
}

/** The page loads nothing from elsewhere: such a picture becomes a link. */
function keepOwnPicture(node: Element): void {
  const source = node.getAttribute("src") ?? "";
  if (OWN_PICTURE.test(source)) return;
  const words = node.getAttribute("alt") || source;
  const link = node.ownerDocument.createElement("a");
  link.textContent = `[picture: ${words.slice(0, 200)}]`;
  if (/^https?:/.test(source)) link.setAttribute("href", source);
  link.setAttribute("target", "_blank");
  link.setAttribute("rel", "noopener noreferrer");
  node.replaceWith(link);
}
