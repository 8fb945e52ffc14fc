import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { XMLParser, XMLValidator } from "fast-xml-parser"
import { bytesOf, documentOf, segment } from "./writing.js"
import { unzip } from "./zipReader.js"

const talk = documentOf(
  [
    segment(0, 2000, "Speaker 1", 'Hello <there> & "all"\u0001.'),
    segment(2000, 4000, "Speaker 2", "日本語 👋"),
    segment(400_000_000, 400_001_000, "Speaker 2", "Late."),
  ],
  {
    title: "A & B",
    summary: "They talk.",
    chapters: [{ start: 2000, end: 400_001_000, title: "Second <part>" }],
    speakerNames: { "Speaker 1": "Ann" },
  },
)

const paragraphsOf = (xml: string): ReadonlyArray<string> =>
  [...xml.matchAll(/<w:p>.*?<\/w:p>/g)].map(([paragraph]) => {
    const style = /w:pStyle w:val="(\w+)"/.exec(paragraph)?.[1]
    const text = [...paragraph.matchAll(/<w:t [^>]*>(.*?)<\/w:t>/g)].map((match) => match[1]).join("")
    return `${style}|${text}`
  })

describe("DOCX", () => {
  it("five parts, all sound, all XML", () => {
    const files = unzip(bytesOf(talk, { format: "docx" }))
    assert.deepStrictEqual(
      [...files.keys()],
      [
        "[Content_Types].xml",
        "_rels/.rels",
        "word/_rels/document.xml.rels",
        "word/styles.xml",
        "word/document.xml",
      ],
    )
    for (const [name, xml] of files) assert.strictEqual(XMLValidator.validate(xml), true, name)
  })
  it("every part that is named is there", () => {
    const files = unzip(bytesOf(talk, { format: "docx" }))
    const parser = new XMLParser({ ignoreAttributes: false })
    const types = parser.parse(files.get("[Content_Types].xml") ?? "")
    for (const part of types.Types.Override) assert.isTrue(files.has(part["@_PartName"].slice(1)))
    assert.isTrue(
      files.has(parser.parse(files.get("_rels/.rels") ?? "").Relationships.Relationship["@_Target"]),
    )
    const target = parser.parse(files.get("word/_rels/document.xml.rels") ?? "").Relationships.Relationship[
      "@_Target"
    ]
    assert.isTrue(files.has(`word/${target}`))
    const styles = files.get("word/styles.xml") ?? ""
    for (const used of new Set(
      paragraphsOf(files.get("word/document.xml") ?? "").map((each) => each.split("|")[0]),
    ))
      assert.include(styles, `w:styleId="${used}"`)
  })
  it("title, summary, chapters, names and times", () => {
    const xml = unzip(bytesOf(talk, { format: "docx" })).get("word/document.xml") ?? ""
    assert.deepStrictEqual(paragraphsOf(xml), [
      "Title|A &amp; B",
      "Normal|They talk.",
      "Normal|Ann [0:00:00] Hello &lt;there&gt; &amp; &quot;all&quot;.",
      "Heading1|Second &lt;part&gt;",
      "Normal|Speaker 2 [0:00:02] 日本語 👋",
      "Normal|Speaker 2 [111:06:40] Late.",
    ])
  })
  it("nobody speaks: the title only", () => {
    const xml =
      unzip(bytesOf(documentOf([], { title: "Silence" }), { format: "docx" })).get("word/document.xml") ?? ""
    assert.deepStrictEqual(paragraphsOf(xml), ["Title|Silence"])
  })

  const unzipTool = spawnSync("unzip", ["-v"]).status === 0
  it.skipIf(!unzipTool)("the unzip of the system finds no fault (skipped where there is none)", () => {
    const folder = mkdtempSync(join(tmpdir(), "docx-"))
    try {
      writeFileSync(join(folder, "a.docx"), bytesOf(talk, { format: "docx" }))
      const tested = spawnSync("unzip", ["-t", join(folder, "a.docx")], { encoding: "utf8" })
      assert.strictEqual(tested.status, 0, tested.stdout)
      assert.include(tested.stdout, "No errors detected")
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
