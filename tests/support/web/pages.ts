const WORDS = "The lamp on the pier was lit, and the boats came in, one after another, heavy with herring.";

/** A paragraph of some hundred characters that begins with a word. */
export function paragraph(word: string): string {
  return `${word} begins here. ${WORDS} ${WORDS} ${WORDS}`;
}

/** An article as sites publish it, with what stands around articles. */
export const ARTICLE = `<!doctype html>
<html lang="en-GB"><head><meta charset="utf-8"><title>Herring return | Harbour News</title>
<meta property="og:site_name" content="Harbour News"><meta name="author" content="Ann Lee">
<script type="application/ld+json">{"@context":"https://schema.org","@graph":[{"@type":"WebSite","name":"x"},
{"@type":["NewsArticle"],"headline":"Herring return &amp; stay","author":[{"name":"Ann Lee"},{"name":"Bo Ek"}],
"datePublished":"2026-03-04T05:06:07Z","publisher":{"name":"Harbour News Ltd"}}]}</script></head>
<body><nav><a href="/">Home</a> <a href="/sport">Sport</a></nav>
<div id="cookie-bar">We use cookies. Accept all</div>
<main><article><h1>Herring return</h1><p>${paragraph("First")}</p><h2>Why now</h2><p>${paragraph("Second")}
<a href="/tides#now">tides</a></p><table><tr><th>Year</th><th>Tons</th></tr><tr><td>2025</td><td>12</td></tr></table>
<pre><code class="language-js">catch(herring)</code></pre><ul><li>${paragraph("Third")}</li><li>nets</li></ul>
<p>${
  paragraph("Fourth")
}</p><h3>Read more</h3><ul><li><a href="/1">Cod leave</a></li><li><a href="/2">Eel sing</a></li></ul>
</article></main><aside class="related">Other stories</aside><footer>Imprint, contact</footer></body></html>`;
