import { assertEquals, assertRejects } from "@std/assert";

import { ToolError } from "../../../../../../schemas/error.ts";
import { drawSvg } from "../../../../../../tools/engine/image/svg/svg.ts";
import { colourAt } from "../../../../../support/documents/picture.ts";

const draw = (text: string, maxEdge = 1568) => drawSvg(new TextEncoder().encode(text), { maxEdge });

const svg = (body: string, attributes = 'width="40" height="20"') =>
  `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${body}</svg>`;

const RED = '<rect width="20" height="20" fill="red"/>';

Deno.test("drawSvg() draws what has layers outside of the picture", async () => {
  const bodies = [
    '<g opacity=".5"><rect x="900" width="9" height="9"/></g>',
    '<rect x="-70" y="-50" width="9" height="9" opacity=".5"/>',
    '<defs><symbol id="s" viewBox="0 0 9 9"><rect width="9" height="9"/></symbol></defs>' +
    '<use href="#s" x="50" y="30" width="9" height="9"/>',
  ];
  for (const body of bodies) {
    const { raster } = await draw(svg(RED + body));
    assertEquals([raster.width, raster.height], [40, 20]);
    assertEquals([[1, 1], [18, 18], [21, 1], [38, 18]].map(([x, y]) => colourAt(raster, x!, y!)), [
      ...["red", "red", "white", "white"],
    ], body);
  }
});

Deno.test("drawSvg() cuts the same part out, whatever the picture's box", async () => {
  const far = '<rect x="200" y="-90" width="9" height="9" opacity=".5"/>';
  const cases = [
    'width="40" height="20" viewBox="0 0 40 20"',
    'width="80" height="40" viewBox="0 0 40 20"',
    'width="40" height="20" viewBox="-5 7 40 20"',
    'width="60" height="20" viewBox="0 0 40 20"',
    'width="60" height="20" viewBox="0 0 40 20" preserveAspectRatio="xMinYMid"',
    'width="20" height="40" viewBox="0 0 40 20" preserveAspectRatio="xMaxYMax slice"',
    'viewBox="0 0 400 200"',
  ];
  for (const attributes of cases) {
    for (const maxEdge of [1568, 30]) {
      const plain = await draw(svg(RED, attributes), maxEdge);
      assertEquals((await draw(svg(RED + far, attributes), maxEdge)).raster, plain.raster, attributes);
    }
  }
});

Deno.test("drawSvg() draws text in its one font and says what that has no glyphs for", async () => {
  const dark = async (text: string) => {
    const { raster, warnings } = await draw(svg(text));
    return { dark: raster.pixels.filter((level, at) => at % 4 === 0 && level < 128).length, warnings };
  };
  const shown = await dark('<text y="16" font-family="Courier" font-size="16">Añя</text>');
  assertEquals([shown.dark > 40, shown.warnings], [true, []]);
  const unknown = await dark('<text y="16">文</text>');
  assertEquals(unknown.warnings, [
    "Some text of the SVG image is in a script that no font is at hand for: use Read to see it",
  ]);
  assertEquals((await dark("<desc>文</desc>")).warnings, []);
});

Deno.test("drawSvg() takes files without a namespace and in other encodings", async () => {
  const { raster } = await draw(`<!-- old --><svg width="40" height="20">${RED}</svg>`);
  assertEquals([colourAt(raster, 1, 1), colourAt(raster, 30, 1)], ["red", "white"]);
  const latin1 = Uint8Array.from(
    `<?xml version="1.0" encoding="ISO-8859-1"?>${svg(`<desc>\xe9</desc>${RED}`)}`,
    (character) => character.charCodeAt(0),
  );
  assertEquals((await drawSvg(latin1, { maxEdge: 1568 })).width, 40);
});

Deno.test("drawSvg() says that a file is damaged", async () => {
  const error = await assertRejects(() => draw("<svg><rect"), ToolError, "The SVG image cannot be drawn: ");
  assertEquals(error.code, "invalid_input");
});
