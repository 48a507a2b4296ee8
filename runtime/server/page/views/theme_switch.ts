import { useState } from "preact/hooks";

import { html } from "../base/html.ts";

const THEMES = ["auto", "light", "dark"] as const;
type Theme = typeof THEMES[number];
const KEY = "bulkhead-theme";

/** Puts the chosen colours on; call it before the first draw. */
export function putOnTheme(theme: Theme = keptTheme()): void {
  document.documentElement.dataset["theme"] = theme;
}

/** Changes between the system's colours, light and dark. */
export function ThemeSwitch() {
  const [theme, setTheme] = useState(keptTheme());
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length]!;
  const onClick = () => {
    localStorage.setItem(KEY, next);
    putOnTheme(next);
    setTheme(next);
  };
  const sign = { auto: "◐", light: "☀", dark: "☾" }[theme];
  return html`
    <button type="button" class="icon-button" onClick=${onClick}
      aria-label=${`Colours: ${theme}. Change to ${next}`} title=${`Colours: ${theme}`}>${sign}</button>
  `;
}

function keptTheme(): Theme {
  const kept = localStorage.getItem(KEY);
  return THEMES.find((theme) => theme === kept) ?? "auto";
}
