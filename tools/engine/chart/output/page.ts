import type { Option } from "../option/frame.ts";
import { SIZE } from "../option/frame.ts";
import type { Language } from "../series/words.ts";

/** The page may load nothing, and its own scripts stand in it. */
const POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:";

/** A page that holds all it needs: the chart answers to the pointer, also without a network. */
export function pageOf(
  option: Option,
  { title, language, insights, code }: {
    title: string;
    language: Language;
    insights: readonly string[];
    code: string;
  },
): string {
  const list = insights.length === 0
    ? ""
    : `<ol>${insights.map((text) => `<li>${escaped(text)}</li>`).join("")}</ol>`;
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<style>body{margin:16px;font-family:sans-serif;color:#333}#chart{width:${SIZE.width}px;height:${SIZE.height}px;margin:0 auto}ol{width:${
    SIZE.width - 80
  }px;margin:16px auto;line-height:1.6}</style>
</head>
<body>
<div id="chart"></div>
${list}
<script>${code.replaceAll("</script", "<\\/script")}</script>
<script>
echarts.init(document.getElementById("chart"), null, { locale: "${language === "zh" ? "ZH" : "EN"}" })
  .setOption(${scriptJson(option)});
</script>
</body>
</html>
`;
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
