import { readFileSync } from "node:fs"
import {
  childText,
  elementsOf,
  readOpml,
  readXml,
  textOfXml,
  type XmlElement,
  xmlLimits,
} from "@earmark/core/xml"
import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"

const rootOf = (text: string): XmlElement => Either.getOrThrow(readXml(text))

const reasonOf = (text: string) => Either.getOrThrow(Either.flip(readXml(text))).reason

describe("readXml", () => {
  it("keeps elements, texts and attributes in their order", () => {
    const root = rootOf(
      `\ufeff<?xml version="1.0"?><!-- a --><!DOCTYPE r SYSTEM "r.dtd"><r xml:lang="de" a=' 1 '>one<b/> two<![CDATA[<&amp;>]]><c>3</c></r>`,
    )
    assert.strictEqual(root.name, "r")
    assert.deepStrictEqual(
      [...root.attributes],
      [
        ["xml:lang", "de"],
        ["a", " 1 "],
      ],
    )
    assert.deepStrictEqual(
      root.content.map((each) => (typeof each === "string" ? each : each.name)),
      ["one", "b", " two", "<&amp;>", "c"],
    )
    assert.strictEqual(textOfXml(root), "one two<&amp;>3")
    assert.strictEqual(childText(root, "c"), "3")
    assert.strictEqual(elementsOf(root).length, 2)
  })

  it("decodes references once, and leaves unknown ones as they are", () => {
    const text = "&lt;&#60;&#x3c;&amp;lt; &#128512; &ours;"
    assert.strictEqual(textOfXml(rootOf(`<r>${text}</r>`)), "<<<&lt; \u{1f600} &ours;")
    assert.strictEqual(rootOf(`<r a="${text}"/>`).attributes.get("a"), "<<<&lt; \u{1f600} &ours;")
  })

  it("refuses names that mean something to JavaScript", () => {
    assert.strictEqual(reasonOf("<r><constructor/></r>"), "malformed")
    assert.strictEqual(reasonOf(`<r __proto__="1"/>`), "malformed")
  })

  it("refuses what is not well-formed, with the line where it breaks", () => {
    for (const broken of [
      "",
      "text",
      "<a>",
      "<a></b>",
      "</a>",
      "<a><b></a></b>",
      "<a/><b/>",
      "<a b/>",
      "<a b=1/>",
      "<a>& b</a>",
      "<a b='1' b='2'/>",
      "<a",
      "<a>\u0000<",
    ])
      assert.strictEqual(reasonOf(broken), "malformed", broken)
    const { message } = Either.getOrThrow(Either.flip(readXml("<a>\n<b>\n</c>\n</a>")))
    assert.strictEqual(message, "The XML is broken in line 3. Check that the file is complete.")
  })

  it("refuses entities of the document's own", () => {
    const laughs = Array.from({ length: 9 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join(
      "",
    )
    assert.strictEqual(reasonOf(`<!DOCTYPE r [<!ENTITY l0 "ha">${laughs}]><r>&l9;</r>`), "own-entities")
    assert.strictEqual(reasonOf(`<!DOCTYPE r [<!ENTITY x "y">]><r>&x;</r>`), "own-entities")
    assert.notStrictEqual(
      Either.getOrElse(
        Either.map(readXml(`<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/hostname">]><r>&x;</r>`), textOfXml),
        () => "",
      ),
      readFileSync("/etc/hostname", "utf8"),
    )
  })

  it("refuses what passes a limit in one sentence", () => {
    const { message } = Either.getOrThrow(Either.flip(readXml("<a>".repeat(66_000))))
    assert.strictEqual(message, "The elements of the XML are nested more than 64 deep. Write them flatter.")
    assert.strictEqual(reasonOf("<a>".repeat(1_000_000)), "too-large")
    assert.strictEqual(reasonOf(`<a>${"<b/>".repeat(xmlLimits.tags)}</a>`), "too-many-tags")
    assert.strictEqual(reasonOf(`<a>${"b".repeat(xmlLimits.characters)}</a>`), "too-large")
  })

  // A reader whose time grows with the square of these needs minutes for each.
  const LENGTH = 500_000
  const SECONDS_AT_MOST = 2
  const pumps = [
    "&amp;",
    "&",
    "&#65;",
    " ",
    "\r",
    ">",
    "=",
    "x='1' ",
    'a="',
    "<![CDATA[x]]>                       ",
    "<!--",
    "<?x ",
    "]]>",
    ":",
  ]
  it.each(pumps)("reads half a million characters of %j in time", (pump) => {
    const many = pump.repeat(LENGTH / pump.length)
    for (const text of [
      `<r>${many}</r>`,
      `<r ${many}/>`,
      `<r a="${many}"/>`,
      `<r${many}`,
      `<!DOCTYPE r ${many}`,
      many,
    ]) {
      const before = process.cpuUsage()
      readXml(text)
      const { user, system } = process.cpuUsage(before)
      assert.isBelow((user + system) / 1e6, SECONDS_AT_MOST, text.slice(0, 20))
    }
  })
})

describe("readOpml", () => {
  const opml = (body: string) =>
    `<?xml version="1.0"?>\n<opml version="2.0"><head><title>My shows</title></head><body>${body}</body></opml>`

  it("lists the feeds of nested outlines, each address once", () => {
    const { title, feeds } = Either.getOrThrow(
      readOpml(
        opml(`<outline text="Alone" category="/News" xmlUrl="https://a.example/feed?a=1&amp;b=2"/>
          <outline text="Science"><outline title="Deep"><outline type="rss" text="text" title="Title" XMLURL=" https://b.example/ "/></outline>
          <outline xmlurl="https://c.example/"/></outline>
          <outline text="Again" xmlUrl="https://b.example/"/><outline text="No feed" htmlUrl="https://d.example/"/><outline xmlUrl=""/><outline xmlUrl="/etc/passwd"/><outline xmlUrl="-"/>`),
      ),
    )
    assert.strictEqual(title, "My shows")
    assert.deepStrictEqual(feeds, [
      { title: "Alone", url: "https://a.example/feed?a=1&b=2", category: "/News" },
      { title: "Title", url: "https://b.example/", category: "Science / Deep" },
      { title: null, url: "https://c.example/", category: "Science" },
    ])
  })

  it("refuses what is not OPML", () => {
    const { reason, message } = Either.getOrThrow(Either.flip(readOpml("<rss/>")))
    assert.strictEqual(reason, "no-opml")
    assert.match(message, /not OPML/)
    assert.deepStrictEqual(Either.getOrThrow(readOpml("<opml/>")), { title: null, feeds: [] })
  })
})
