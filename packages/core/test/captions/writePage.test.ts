import { pagePolicy, pageScript, pageStyle } from "@earmark/core/captions"
import { assert, describe, it } from "@effect/vitest"
import { documentOf, segment, textOf } from "./writing.js"

const page = {
  mediaUrl: "https://media.example/12.mp3?a=1&b=2",
  assets: "../",
  files: [{ name: "transcript.vtt", url: "transcript.vtt", type: "text/vtt" }],
}

const talk = documentOf(
  [
    segment(0, 4000, "Speaker 1", "Good morning."),
    segment(4000, 9000, "Speaker 1", "We open at nine."),
    segment(9500, 12_000, "Speaker 2", "Thank you."),
  ],
  {
    title: "The museum",
    speakerNames: { "Speaker 1": "Ann" },
    chapters: [
      { start: 0, end: 9000, title: "Opening" },
      { start: 9000, end: 12_000, title: "Thanks" },
    ],
  },
)

describe("a page of a transcript", () => {
  const html = textOf(talk, { format: "html", page })

  it("plays the recording from each line", () => {
    assert.include(html, '<audio controls preload="none" src="https://media.example/12.mp3?a=1&amp;b=2">')
    assert.include(html, '<span data-s="0">Good morning.</span> <span data-s="4">We open at nine.</span>')
    assert.include(html, '<time data-s="9.5"><a href="#s9500">0:00:09</a></time>\n<p id="s9500" dir="auto">')
  })

  it("names speakers and chapters, and says its language", () => {
    assert.include(html, '<html lang="en">')
    assert.include(html, '<cite dir="auto">Ann:</cite>')
    assert.include(html, '<li><a href="#c2" dir="auto">Thanks</a></li>')
    assert.include(html, '<h2 id="c2" dir="auto">Thanks</h2>')
  })

  it("has no script and no style of its own, and a policy that allows none", () => {
    assert.notMatch(html, /<style|<script(?! src=)|\son[a-z]+=|\sstyle=/)
    assert.include(html, `<script src="../${pageScript.name}" defer></script>`)
    assert.include(html, `<link rel="stylesheet" href="../${pageStyle.name}">`)
    assert.include(html, `content="${pagePolicy}"`)
    assert.notInclude(pagePolicy, "unsafe")
  })

  it("has no player without a recording of the web", () => {
    for (const mediaUrl of [null, "javascript:alert(1)", "file:///etc/passwd", "data:audio/wav;base64,AA"])
      assert.notInclude(textOf(talk, { format: "html", page: { ...page, mediaUrl } }), "<audio")
  })

  it("shows what is hostile as text", () => {
    const bad = `"><script>alert(1)</script><img src=x onerror=alert(1)>`
    const hostile = documentOf([segment(0, 1000, "Speaker 1", bad)], {
      title: bad,
      summary: bad,
      language: `en" onload="alert(1)`,
      speakerNames: { "Speaker 1": bad },
      chapters: [
        { start: 0, end: 500, title: bad },
        { start: 500, end: 1000, title: bad },
      ],
    })
    const shown = textOf(hostile, {
      format: "html",
      page: {
        mediaUrl: `https://media.example/${bad}`,
        assets: "../",
        files: [{ name: bad, url: bad, type: bad }],
        home: { title: bad, url: bad },
      },
    })
    assert.deepStrictEqual(shown.match(/<script[^>]*>/g), [`<script src="../${pageScript.name}" defer>`])
    assert.notInclude(shown, "<img")
    assert.notMatch(shown, /<[^>"]*(?:"[^"]*"[^>"]*)*\son(?:load|error)=/)
  })

  it("joins lines of Chinese without spaces", () => {
    const chinese = documentOf([
      segment(0, 1000, null, "你好。", false),
      segment(1000, 2000, null, "世界。", false),
    ])
    assert.include(textOf(chinese, { format: "html", page }), "你好。</span><span")
  })
})

describe("the files of a page", () => {
  it("have names that change with their content, and take nothing from elsewhere", () => {
    assert.match(pageStyle.name, /^page-[0-9a-f]{16}\.css$/)
    assert.match(pageScript.name, /^page-[0-9a-f]{16}\.js$/)
    for (const { text } of [pageStyle, pageScript]) assert.notMatch(text, /https?:|import|innerHTML|eval/)
  })
})
