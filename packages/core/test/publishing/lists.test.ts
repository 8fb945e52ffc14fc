import { episodeTags, showJson, showOpml, tagLines } from "@earmark/core/publishing"
import { readOpml, readXml } from "@earmark/core/xml"
import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"

const files = [
  { format: "vtt", url: "https://a.example/p/x/transcript.vtt", language: "en" },
  { format: "html", url: "https://a.example/p/x/transcript.html", language: null },
  { format: "chapters", url: "https://a.example/p/x/chapters.json", language: "en" },
] as const

describe("the tags of an episode", () => {
  it("name each transcript with its type and language, and the chapters apart", () => {
    assert.deepStrictEqual(episodeTags(files), {
      transcripts: [
        '<podcast:transcript url="https://a.example/p/x/transcript.vtt" type="text/vtt" language="en" rel="captions"/>',
        '<podcast:transcript url="https://a.example/p/x/transcript.html" type="text/html"/>',
      ],
      chapters:
        '<podcast:chapters url="https://a.example/p/x/chapters.json" type="application/json+chapters"/>',
    })
    assert.lengthOf(tagLines(episodeTags(files)), 3)
    assert.isNull(episodeTags(files.slice(0, 2)).chapters)
  })
})

describe("the lists of a show", () => {
  const episode = {
    transcriptionId: "tr_1",
    guid: `a"b<&>`,
    title: `<Bread> & "salt"`,
    language: "en",
    files: files.map(({ format, url }) => ({ format, url })),
  }
  const show = { episodes: [episode, { ...episode, guid: null, title: null, language: null, files: [] }] }

  it("are OPML that a reader of XML takes, with GUIDs and addresses", () => {
    const opml = showOpml(show)
    assert.isTrue(Either.isRight(readOpml(opml)))
    assert.isTrue(Either.isRight(readXml(opml)))
    assert.include(opml, 'guid="a&quot;b&lt;&amp;&gt;" language="en"')
    assert.include(
      opml,
      'type="chapters" mimeType="application/json+chapters" url="https://a.example/p/x/chapters.json"',
    )
    assert.include(opml, '<outline text="Untitled">')
  })

  it("are JSON with the same", () => {
    assert.deepStrictEqual(showJson(show).episodes[0]?.files[0], {
      format: "vtt",
      type: "text/vtt",
      url: "https://a.example/p/x/transcript.vtt",
    })
    assert.strictEqual(showJson(show).episodes[1]?.guid, null)
  })
})
