const SENTENCE = "Some text, with commas, of a page that never ends. ";

/** Pages that are made to use up time or memory, of about so many MB, and what is still told of them. */
export function hostilePages(size: number): Readonly<Record<string, { html: () => string; told: string }>> {
  return {
    "100,000 elements in each other": {
      html: () => `${"<div>".repeat(100_000)}text here`,
      told: "text here",
    },
    "tags that are never closed": { html: () => "<div><p>text ".repeat(50_000), told: "text" },
    "very many links": {
      html: () => Array.from({ length: 40_000 * size }, (_, at) => `<a href="/p/${at}">x${at}</a>`).join(""),
      told: "[x0]",
    },
    "lists in lists": { html: () => "<ul><li>item ".repeat(50_000), told: "item" },
    "terms in terms": { html: () => "<dl><dt>a<dd>b ".repeat(50_000), told: "**a**" },
    "tables in tables": { html: () => "<p><b><i><table><tr><td>x".repeat(20_000), told: "x" },
    "very many cells": {
      html: () => `<table>${`<tr>${"<td>x</td>".repeat(30)}</tr>`.repeat(1_000 * size)}</table>`,
      told: "| x |",
    },
    "quotes in quotes": { html: () => `<blockquote>${SENTENCE}`.repeat(30_000), told: "> Some text" },
    "cells that span a million columns": {
      html: () => `<table>${"<tr><td colspan=1000000 rowspan=1000000>x<td>y".repeat(200)}`,
      told: "x",
    },
    "very many attributes": {
      html: () => `<p ${Array.from({ length: 50_000 * size }, (_, at) => `a${at}=1`).join(" ")}>text`,
      told: "text",
    },
    "very many names of classes": {
      html: () => `<div class="share comment related ${"x".repeat(50)}">text, `.repeat(9_900 * size),
      told: "text",
    },
    "a large picture in the page": {
      html: () => `<p>text<img src="data:image/png;base64,${"A".repeat(900_000 * size)}">`,
      told: "text",
    },
    "very many comments that begin": { html: () => `<p>text${"<!--".repeat(150_000 * size)}`, told: "text" },
    "very many entities": { html: () => `<p>text${"&amp".repeat(250_000 * size)}`, told: "text&" },
    "very many brackets": { html: () => "<".repeat(800_000 * size), told: "<" },
    "names in names": {
      html: () =>
        `<script type="application/ld+json">{"@type":"Article","headline":${'{"name":'.repeat(100_000)}"x"${
          "}".repeat(100_000)
        }}</script><p>text`,
      told: "text",
    },
    "a very long title": {
      html: () => `<title>${"a - ".repeat(230_000 * size)}</title><p>text`,
      told: "text",
    },
    "one very long paragraph": { html: () => `<p>${SENTENCE.repeat(18_000 * size)}`, told: "Some text" },
    "preformatted lines without end": { html: () => `<pre>${"x\n".repeat(450_000 * size)}`, told: "x" },
  };
}
