/** How an exported page looks: light or dark as the reader's system is, on paper too. */
export const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --text: #1d2129; --dim: #5b6472; --ground: #fbfbfa; --raised: #ffffff; --line: #d9dce1;
  --accent: #2458b8; --good: #1a6b3c; --bad: #a3261f; --added: #e3f4e7; --removed: #fbe6e4; --hunk: #eaf0fb;
}
@media (prefers-color-scheme: dark) {
  :root {
    --text: #e4e6ea; --dim: #a0a8b5; --ground: #16181c; --raised: #1e2126; --line: #363b44;
    --accent: #8ab0f5; --good: #7fcf9b; --bad: #f19a92; --added: #17301f; --removed: #3a1e1c; --hunk: #1f2a3e;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); font: 16px/1.55 system-ui, sans-serif; }
header, main, footer { max-width: 62rem; margin: 0 auto; padding: 0 1.25rem; } header { padding-top: 1.75rem; } footer { padding-bottom: 2rem; }
h1 { font-size: 1.45rem; line-height: 1.3; margin: 0 0 1rem; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 2.25rem 0 .75rem; padding-top: 1rem; border-top: 1px solid var(--line); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1.25rem; margin: 0; font-size: .9rem; }
dt { color: var(--dim); } dd { margin: 0; overflow-wrap: anywhere; }
pre, code { font: .85rem/1.5 ui-monospace, monospace; }
pre { margin: .5rem 0; padding: .75rem; overflow-x: auto; background: var(--ground); border: 1px solid var(--line); border-radius: 6px; white-space: pre-wrap; overflow-wrap: anywhere; }
article, details { margin: .75rem 0; background: var(--raised); border: 1px solid var(--line); border-radius: 8px; }
article { padding: .75rem 1rem; } article.person { border-left: 4px solid var(--accent); }
summary { padding: .5rem 1rem; cursor: pointer; overflow-wrap: anywhere; } summary:focus-visible { outline: 2px solid var(--accent); }
details > :not(summary) { margin-left: 1rem !important; margin-right: 1rem !important; } details { padding-bottom: 1px; }
.said { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0; } .who { color: var(--dim); font-size: .8rem; margin: 0 0 .25rem; }
.note { color: var(--dim); font-size: .85rem; margin: .5rem 0; overflow-wrap: anywhere; } details > .who { margin-top: .5rem; margin-bottom: 0; }
footer.note { margin: 2.5rem auto 0; }
.good { color: var(--good); } .bad { color: var(--bad); } .dim { color: var(--dim); }
img { display: block; max-width: 100%; height: auto; margin: .5rem 0; border: 1px solid var(--line); border-radius: 6px; }
.diff { white-space: pre; } .diff span { display: block; min-height: 1.5em; }
.diff .add { background: var(--added); } .diff .cut { background: var(--removed); } .diff .at { background: var(--hunk); }
ol.sources { padding-left: 2rem; } ol.sources li { margin: .5rem 0; overflow-wrap: anywhere; }
ul.plan { list-style: none; padding: 0; margin: 0; }
@media print { body { background: #fff; } article, details { break-inside: avoid; } }
`;
