// Runs beside page_index.js, and adds to it what uses the elements that it has numbered.
(() => {
  const { get, isOff, short, isSkipped } = pageIndex;
  /** A page without a change for so long stands still, in milliseconds. */
  const STILL_MS = 80;
  /** After a first change the next one comes within this time, in milliseconds. */
  const FIRST_MS = 40;
  /** What moves for longer is not waited for, in milliseconds. */
  const MOST_MOVING_MS = 1_000;
  const changed = (element) => {
    element.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
    element.dispatchEvent(new Event("change", { bubbles: true }));
  };
  /** Makes a field ready for new text. Some kinds of fields take the text as a value, at once. */
  const field = (number, text) => {
    const element = get(number);
    if (!element) return { is: "gone" };
    if (isOff(element) || element.readOnly) return { is: "closed" };
    element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    const direct = "date datetime-local month week time color range".split(" ");
    if (element.tagName === "INPUT" && element.type === "file") return { is: "file" };
    if (element.tagName === "INPUT" && direct.includes(element.type)) {
      element.focus();
      const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value");
      set.call(element, text);
      changed(element);
      return element.value === "" && text !== "" ? { is: "refused" } : { is: "done" };
    }
    const isText = element.tagName === "TEXTAREA" || element.tagName === "INPUT" &&
        !["checkbox", "radio", "button", "submit", "reset", "image", "hidden"].includes(element.type);
    if (!isText && !element.isContentEditable) return { is: "other" };
    element.focus();
    if (isText) element.select();
    else getSelection().selectAllChildren(element);
    return { is: "ready", wasEmpty: isText ? element.value === "" : element.innerText.trim() === "" };
  };
  const options = (number) => {
    const element = get(number);
    if (!element) return { is: "gone" };
    if (element.tagName !== "SELECT") return { is: "other" };
    const list = Array.from(
      element.options,
      (one) => ({
        ...{ text: short(one.text, 300), value: one.value, index: one.index },
        ...(isOff(one) && { disabled: true }),
      }),
    );
    return { is: "list", list };
  };
  const choose = (number, text) => {
    const element = get(number);
    if (!element) return { is: "gone" };
    if (element.tagName !== "SELECT") return { is: "other" };
    if (isOff(element)) return { is: "closed" };
    const wanted = short(text, 300);
    const all = Array.from(element.options);
    const isMeant = (one) => short(one.text, 300) === wanted;
    const hasValue = ({ value }) => value === text;
    const isOn = (one) => !isOff(one);
    const option = [isMeant, hasValue].map((is) => all.filter(isOn).find(is)).find(Boolean);
    if (!option) return { is: all.some((one) => isMeant(one) || hasValue(one)) ? "off" : "missing" };
    if (element.multiple) option.selected = true;
    else element.selectedIndex = option.index;
    changed(element);
    return { is: "chosen", text: short(option.text, 300) };
  };
  const give = (number, files) => {
    const element = get(number);
    if (!element) return { is: "gone" };
    if (element.tagName !== "INPUT" || element.type !== "file") return { is: "other" };
    if (isOff(element)) return { is: "closed" };
    if (files.length > 1 && !element.multiple) return { is: "single" };
    const transfer = new DataTransfer();
    for (const { name, base64 } of files) {
      transfer.items.add(new File([Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))], name));
    }
    element.files = transfer.files;
    changed(element);
    return { is: "given" };
  };
  /** Scrolls to a text; false if it is not there. */
  const find = (text) => {
    const wanted = short(text, 1000).toLowerCase();
    const roots = [document];
    for (let root = roots.shift(); root; root = roots.shift()) {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT);
      let deepest = null;
      for (let at = walker.nextNode(); at; at = walker.nextNode()) {
        if (at.shadowRoot) roots.push(at.shadowRoot);
        if (isSkipped(at) || !at.checkVisibility?.()) continue;
        if (deepest && !deepest.contains(at)) break;
        if (short(at.textContent, 1e6).toLowerCase().includes(wanted)) deepest = at;
      }
      if (!deepest || deepest === document.documentElement) continue;
      deepest.scrollIntoView({ block: "center", behavior: "instant" });
      return true;
    }
    return false;
  };
  /** Scrolls the field in use, else the page, else the largest part of it that can go on that way. */
  const scroll = (way, pixels) => {
    const root = document.scrollingElement ?? document.documentElement;
    const goesOn = (element) =>
      element.scrollHeight > element.clientHeight + 1 &&
      (way < 0 ? element.scrollTop > 0 : element.scrollTop + element.clientHeight < element.scrollHeight - 1);
    const isBox = (element) => goesOn(element) && /auto|scroll/.test(getComputedStyle(element).overflowY);
    const inView = (element) => {
      const { left, top, right, bottom } = element.getBoundingClientRect();
      return Math.max(0, Math.min(right, innerWidth) - Math.max(left, 0)) *
        Math.max(0, Math.min(bottom, innerHeight) - Math.max(top, 0));
    };
    const largest = () =>
      Array.from(document.querySelectorAll("*")).filter((element) =>
        element !== root && element !== document.body && isBox(element) && inView(element) > 0
      ).sort((one, other) => inView(other) - inView(one))[0];
    const { activeElement } = document;
    const field = activeElement?.tagName === "TEXTAREA" && isBox(activeElement) ? activeElement : null;
    const target = field ?? (root && goesOn(root) ? root : largest() ?? root);
    const by = pixels ?? (target === root ? innerHeight : target.clientHeight);
    target?.scrollBy({ top: way * by, behavior: "instant" });
    return by;
  };
  /** When scripts of the page changed how a part of it looks: one after the other, while they move it. */
  let [moved, before] = [-Infinity, -Infinity];
  new MutationObserver(() => [moved, before] = [performance.now(), moved]).observe(document, {
    attributes: true,
    attributeFilter: ["style"],
    subtree: true,
  });
  const passes = ({ effect, playState }) =>
    playState === "running" && effect?.getComputedTiming().endTime < MOST_MOVING_MS;
  /** Says whether parts of the page move, or fade, which ends soon. */
  const isMoving = () =>
    performance.now() - moved < (moved - before < STILL_MS ? STILL_MS : FIRST_MS) ||
    document.getAnimations().some(passes);
  Object.assign(pageIndex, { isMoving, field, options, choose, give, find, scroll });
})();
