import { Buffer } from "node:buffer";

import type { Option } from "../option/frame.ts";
import { SIZE } from "../option/frame.ts";
import { sizedLabelsScript } from "./sized_labels.ts";
import type { Language } from "../series/words.ts";

/** The page may load nothing and send nothing, and no script runs but those that are named here. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

/** A page that holds all it needs: the chart answers to the pointer, also without a network. */
export async function pageOf(
  option: Option,
  { title, language, insights, code }: {
    title: string;
    language: Language;
    insights: readonly string[];
    code: string;
  },
): Promise<string> {
  const list = insights.length === 0
    ? ""
    : `<ol>${insights.map((text) => `<li>${escaped(text)}</li>`).join("")}</ol>`;
  const library = code.replaceAll("</script", "<\\/script");
  const chart = scriptOf(option, language);
  const hashes = await Promise.all([library, chart].map(hashOf));
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}; script-src ${hashes.join(" ")}">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<style>body{margin:16px;font-family:sans-serif;color:#333}#chart{width:${SIZE.width}px;height:${SIZE.height}px;margin:0 auto}ol{width:${
    SIZE.width - 80
  }px;margin:16px auto;line-height:1.6}</style>
</head>
<body>
<div id="chart"></div>
${list}
<script>${library}</script>
<script>${chart}</script>
</body>
</html>
`;
}

/** Tooltips are text, also of options that come from a file. */
function scriptOf(option: Option, language: Language): string {
  const tooltip = { ...option.tooltip as Record<string, unknown> | undefined, renderMode: "richText" };
  return `
const option = ${scriptJson({ ...option, tooltip })};
${sizedLabelsScript(language)}
echarts.init(document.getElementById("chart"), null, { locale: "${
    language === "zh" ? "ZH" : "EN"
  }" }).setOption(option);
`;
}

/** A script as the policy names it. */
async function hashOf(script: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(script));
  return `'sha256-${Buffer.from(digest).toString("base64")}'`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll(
    '"',
    "&quot;",
  );
}

/** JSON that cannot end the script it stands in. */
function scriptJson(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c").replaceAll("\u2028", "\\u2028").replaceAll(
    "\u2029",
    "\\u2029",
  );
}
