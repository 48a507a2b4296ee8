// Runs in each frame of a page, in a world of its own that the page's scripts cannot reach. Numbers what can be used.
(() => {
  const { aboutOf, boxText, isGraphic, labelOf, pictureText, shapeText, short } = pageLooks;
  const TAGS = new Set([
    "A",
    "BUTTON",
    "INPUT",
    "SELECT",
    "TEXTAREA",
    "SUMMARY",
    "EMBED",
    "OBJECT",
    "AREA",
    "CANVAS",
  ]);
  const ROLES = new Set(
    ("button link checkbox radio tab option menuitem menuitemcheckbox menuitemradio combobox listbox slider switch " +
      "textbox searchbox spinbutton treeitem gridcell").split(" "),
  );
  const SKIPPED = new Set(["SCRIPT", "STYLE", "NOSCRIPT", "TEMPLATE", "HEAD", "META", "LINK", "TITLE"]);
  /** Pixels around the window that are read as well. */
  const AROUND = 500;
  const MOST_ROOTS = 100;
  /** Most parts without words that are told. */
  const MOST_PICTURES = 150;
  /** From there on a page is left out: lines, and milliseconds. */
  const MOST_LINES = 1_500;
  const MOST_MS = 2_500;
  /** How long it is looked up what lies over elements, in milliseconds. */
  const LOOKS_MS = 1_000;
  const numbers = new WeakMap();
  const elements = new Map();
  /** Elements that scripts of the page have clicks told to. */
  const listening = new WeakSet();
  const hear = (...heard) => heard.forEach((element) => listening.add(element));

  const parentOf = (node) => node.assignedSlot ?? node.parentElement ?? node.getRootNode().host ?? null;
  const holds = (outer, inner) => {
    for (let at = inner; at; at = parentOf(at)) if (at === outer) return true;
    return false;
  };
  /** The topmost element of the page, and its open shadow roots. */
  const roots = () => {
    const found = [document.documentElement];
    for (let at = 0; at < found.length && found.length < MOST_ROOTS; at += 1) {
      for (const { shadowRoot } of found[at].querySelectorAll("*")) if (shadowRoot) found.push(shadowRoot);
    }
    return found.slice(0, MOST_ROOTS);
  };
  const inReach = ({ left, top, right, bottom }) =>
    right > 0 && left < innerWidth && bottom > -AROUND && top < innerHeight + AROUND;

  /** The topmost element at a point, through open shadow roots. */
  const topAt = (x, y) => {
    let found = document.elementFromPoint(x, y);
    while (found?.shadowRoot) {
      const inner = found.shadowRoot.elementFromPoint(x, y);
      if (!inner || inner === found) break;
      found = inner;
    }
    return found;
  };
  const leads = (hit, element) => {
    if (!hit) return false;
    if (holds(element, hit)) return true;
    const label = hit.closest?.("label");
    return Boolean(label && label.control === element);
  };
  /** A point of an element that belongs to it, from the corner of the window; `null` if others cover all of it. */
  const freePoint = (element) => {
    let covering = null;
    for (const box of element.getClientRects()) {
      const [left, right] = [Math.max(box.left, 0), Math.min(box.right, innerWidth)];
      const [top, bottom] = [Math.max(box.top, 0), Math.min(box.bottom, innerHeight)];
      if (right <= left || bottom <= top) continue;
      for (const [part, other] of [[0.5, 0.5], [0.15, 0.25], [0.85, 0.75], [0.15, 0.75], [0.85, 0.25]]) {
        const point = { x: left + (right - left) * part, y: top + (bottom - top) * other };
        const hit = topAt(point.x, point.y);
        if (leads(hit, element)) return { point, covering: null };
        covering ??= hit;
      }
    }
    return { point: null, covering };
  };
  const inWindow = ({ left, top, right, bottom }) =>
    right > 0 && left < innerWidth && bottom > 0 && top < innerHeight;
  /** Says whether a part of the page around it cuts an element off that a little scrolling there would show. */
  const isScrolledAway = (element, box) => {
    for (let at = parentOf(element); at && at !== document.body; at = parentOf(at)) {
      const { left, right, top, bottom } = at.getBoundingClientRect();
      const [beside, over] = [box.left < left || box.right > right, box.top < top || box.bottom > bottom];
      if (!beside && !over) continue;
      const { overflowX, overflowY } = getComputedStyle(at);
      const hasRoom = over && at.clientHeight > 20 && at.scrollHeight > at.clientHeight + 1;
      if (hasRoom && overflowY !== "visible") return box.top < bottom + AROUND && box.bottom > top - AROUND;
      if (beside && /auto|scroll/.test(overflowX)) return true;
      if (overflowX !== "visible" || overflowY !== "visible") return false;
    }
    return false;
  };
  /** From then on it is not looked up what lies over elements, as `performance.now()` counts: a page of many takes long. */
  let looksUntil = 0;
  /** Says whether a person sees it, or would after a little scrolling. */
  const isSeen = (element, style) => {
    const box = element.getBoundingClientRect();
    if (box.width < 1 || box.height < 1 || style.visibility !== "visible" || !inReach(box)) return false;
    if (performance.now() > looksUntil) return true;
    return !inWindow(box) || freePoint(element).point !== null || isScrolledAway(element, box);
  };
  const isWhole = (element) => element === document.body || element === document.documentElement;
  /** A part that hears clicks for the parts in it has these alike, such as the rows of a list. */
  const isLike = (one, other) => other?.tagName === one.tagName && other.className === one.className;
  const isPart = (element, holder) =>
    holder !== null && (element.textContent.trim() !== "" || isGraphic(element)) &&
    (isLike(element, element.previousElementSibling) || isLike(element, element.nextElementSibling));
  /** One that hears clicks for the one link or button that is all of it needs no number. */
  const isFrame = ({ children, childElementCount, textContent }) =>
    childElementCount === 1 && TAGS.has(children[0].tagName) &&
    textContent.trim() === children[0].textContent.trim();
  const isUsable = (element, style, parentStyle) => {
    if (isWhole(element)) return element.isContentEditable;
    if (TAGS.has(element.tagName)) return !(element.tagName === "INPUT" && element.type === "hidden");
    if (ROLES.has(element.getAttribute("role"))) return true;
    if (
      element.hasAttribute("onclick") || element.hasAttribute("ng-click") || element.hasAttribute("@click")
    ) return true;
    if (element.isContentEditable && !element.parentElement?.isContentEditable) return true;
    if (element.draggable && element.getAttribute("draggable") === "true") return true;
    const tabindex = element.getAttribute("tabindex");
    if (tabindex !== null && Number(tabindex) >= 0) return true;
    return style.cursor === "pointer" && parentStyle?.cursor !== "pointer";
  };
  const isBlock = (display) => !/^(?:inline|contents$|table-cell$)/.test(display);

  /** Reads what is in view; `frames` are the elements of frames that others read, `first` is the next free number. */
  const read = (first, frames) => {
    const lines = [];
    let next = first;
    let text = "";
    let pictures = 0;
    let walked = 0;
    let isFull = false;
    const ends = performance.now() + MOST_MS;
    looksUntil = performance.now() + LOOKS_MS;
    const flush = () => {
      const line = short(text, 1000);
      text = "";
      if (line !== "") lines.push({ text: line });
    };
    const number = (element) => {
      let own = numbers.get(element);
      if (own === undefined) {
        own = next++;
        numbers.set(element, own);
      }
      elements.set(own, new WeakRef(element));
      return own;
    };
    const words = (node, owner) => {
      if (owner || node.data.trim() === "") return;
      const range = document.createRange();
      range.selectNodeContents(node);
      const box = range.getBoundingClientRect();
      if (box.width > 0 && box.height > 0 && inReach(box)) text += ` ${node.data}`;
    };
    const children = (element) => {
      if (element.shadowRoot) return element.shadowRoot.childNodes;
      const assigned = element.tagName === "SLOT" ? element.assignedNodes() : [];
      return assigned.length > 0 ? assigned : element.childNodes;
    };
    const show = (node) => {
      flush();
      const label = labelOf(node);
      const about = aboutOf(node, label);
      lines.push({
        number: number(node),
        tag: node.tagName.toLowerCase(),
        ...(label !== "" && { text: label }),
        ...(Object.keys(about).length > 0 && { about }),
      });
      return label;
    };
    /** What a person sees of a part that has no words. */
    const picture = (node, style) => {
      if (pictures >= MOST_PICTURES || !inReach(node.getBoundingClientRect())) return;
      const said = pictureText(node) || boxText(node, style) || shapeText(node, style);
      if (said === "") return;
      pictures += 1;
      text += ` ${said}`;
    };
    /** `owner` is the element whose label has the words, `holder` one that hears clicks for what is in it. */
    const walk = (node, { owner, holder }, parentStyle) => {
      if (node.nodeType === Node.TEXT_NODE) {
        if (parentStyle?.visibility === "visible") words(node, owner);
        return;
      }
      if (node.nodeType !== Node.ELEMENT_NODE) return;
      isFull ||= lines.length >= MOST_LINES || performance.now() > ends;
      if (isFull) return;
      walked += 1;
      if (SKIPPED.has(node.tagName)) return;
      const style = getComputedStyle(node);
      if (style.display === "none") return;
      const block = isBlock(style.display);
      if (block) flush();
      // A row is one line.
      if (style.display === "table-cell" && text !== "") text += " |";
      const frame = frames.indexOf(node);
      if (frame >= 0) {
        if (isSeen(node, style)) {
          flush();
          lines.push({ frame });
        }
        return;
      }
      let below = { owner, holder };
      const isOwn = isUsable(node, style, parentStyle);
      const hears = listening.has(node) && !isWhole(node) && !isFrame(node);
      if ((isOwn || hears || isPart(node, holder)) && isSeen(node, style)) {
        const label = show(node);
        const holds = !isOwn && hears && node.childElementCount > 0;
        // Words that a label leaves out are shown beside it.
        if (!holds && !label.endsWith("…") && node.tagName !== "svg") below = { owner: node, holder: null };
        else if (holds) below = { owner, holder: node };
      } else if (!owner && style.visibility === "visible") picture(node, style);
      if (node.tagName !== "SELECT" && node.tagName !== "TEXTAREA") {
        for (const child of children(node)) walk(child, below, style);
      }
      if (block) flush();
    };
    if (document.body) walk(document.body, { owner: null, holder: null }, null);
    flush();
    const root = document.scrollingElement ?? document.documentElement;
    const above = Math.round(root?.scrollTop ?? 0);
    const scroll = {
      above,
      below: Math.max(0, Math.round((root?.scrollHeight ?? 0) - above - innerHeight)),
      height: innerHeight,
    };
    const unread = isFull ? Math.max(1, document.body.getElementsByTagName("*").length - walked) : 0;
    return { lines, next, scroll, unread };
  };

  const get = (number) => {
    const element = elements.get(number)?.deref();
    return element?.isConnected ? element : null;
  };
  const told = (element) => {
    const id = element.id ? ` id="${short(element.id, 40)}"` : "";
    return `<${element.tagName.toLowerCase()}${id}> ${short(element.innerText ?? "", 40)}`.trim();
  };
  /** Says whether it cannot be used, by itself or by what it is in. */
  const isOff = (element) => element.matches(":disabled");
  /** Brings an element into view, unless all is to stay as it is. Returns where it can be clicked, from the corner of the window. */
  const place = (number, isStill) => {
    const element = get(number);
    if (!element) return { is: "gone" };
    if (isOff(element)) return { is: "off" };
    let { point, covering } = freePoint(element);
    if (!point && !isStill) {
      element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
      ({ point, covering } = freePoint(element));
    }
    const box = element.getBoundingClientRect();
    if (box.width < 1 || box.height < 1) return { is: "hidden" };
    if (!point) return { is: "covered", by: covering ? told(covering) : "something else" };
    return { is: "free", ...point, downloads: Boolean(element.closest("a[download]")) };
  };
  /** Draws numbers over the elements, in a part of its own that is taken away with an empty list. */
  const label = (shown) => {
    document.querySelectorAll("x-page-numbers").forEach((one) => one.remove());
    if (shown.length === 0) return;
    const host = document.createElement("x-page-numbers");
    host.style.cssText = "all:initial;position:fixed;inset:0;z-index:2147483647;pointer-events:none";
    const root = host.attachShadow({ mode: "closed" });
    for (const number of shown) {
      const box = get(number)?.getBoundingClientRect();
      if (!box || !inWindow(box)) continue;
      const [frame, tag] = [document.createElement("div"), document.createElement("div")];
      frame.style.cssText = `position:fixed;left:${box.left}px;top:${box.top}px;width:${box.width}px;` +
        `height:${box.height}px;outline:1px solid #c00`;
      tag.style.cssText =
        `position:fixed;left:${Math.max(0, box.left)}px;top:${Math.max(0, box.top - 6)}px;` +
        "background:#c00;color:#fff;font:bold 11px/12px monospace;padding:0 2px";
      tag.textContent = number;
      root.append(frame, tag);
    }
    document.documentElement.append(host);
  };
  /** Says where a point of a frame is in this window, and whether anything lies over the frame there. */
  const inOwner = (frame, { x, y }) => {
    const { left, top } = frame.getBoundingClientRect();
    const style = getComputedStyle(frame);
    const point = {
      x: x + left + frame.clientLeft + parseFloat(style.paddingLeft),
      y: y + top + frame.clientTop + parseFloat(style.paddingTop),
    };
    const hit = topAt(point.x, point.y);
    return { ...point, by: leads(hit, frame) ? null : hit ? told(hit) : "something else" };
  };
  globalThis.pageIndex = {
    inOwner,
    hear,
    isOff,
    read,
    roots,
    get,
    place,
    label,
    short,
    isSkipped: (element) => SKIPPED.has(element.tagName),
  };
})();
