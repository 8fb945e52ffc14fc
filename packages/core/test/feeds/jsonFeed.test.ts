import { assert, it } from "@effect/vitest"
import { read, readOne } from "./reading.js"

it("reads JSON Feed 1.0 and 1.1", () => {
  const feed = read(
    JSON.stringify({
      version: "https://jsonfeed.org/version/1",
      title: "Show",
      home_page_url: "https://x.example",
      icon: "icon.png",
      language: "de",
      author: { name: "Ann" },
      next_url: "?page=2",
      expired: true,
      items: [
        { id: 1, title: "Text only" },
        {
          id: 7,
          title: "First",
          url: "/7",
          summary: "S",
          content_html: "<p>C</p>",
          authors: [{}, { name: "Bob" }],
          tags: ["t", 5, null],
          date_published: "2020-01-01T00:00:00Z",
          attachments: [
            { url: "a.jpg", mime_type: "image/jpeg" },
            { url: "a.mp3", mime_type: "audio/mpeg", duration_in_seconds: 61.9, size_in_bytes: 9 },
          ],
        },
        "not an item",
        { attachments: [{ url: "b.mp3" }, null, { url: 5 }], date_modified: "2021-01-01" },
      ],
    }),
    { baseUrl: "https://x.example/feed.json", details: true },
  )
  assert.deepInclude(feed, {
    format: "json",
    items: 3,
    total: 2,
    title: "Show",
    author: "Ann",
    language: "de",
    image: "https://x.example/icon.png",
    complete: true,
    nextPageUrl: "https://x.example/feed.json?page=2",
  })
  assert.deepStrictEqual(
    feed.episodes.map(({ guid, title }) => [guid, title]),
    [
      ["https://x.example/b.mp3", null],
      ["7", "First"],
    ],
  )
  const [, first] = feed.episodes
  assert.deepInclude(first, {
    audioUrl: "https://x.example/a.mp3",
    link: "https://x.example/7",
    durationSeconds: 61,
    publishedAt: Date.UTC(2020, 0, 1),
  })
  assert.deepInclude(first?.details, {
    description: "<p>C</p>",
    summary: "S",
    author: "Bob",
    categories: ["t", "5"],
    enclosure: { url: "https://x.example/a.mp3", type: "audio/mpeg", length: 9 },
  })
})

const jsonItem = (item: string) => readOne(`{"items": [${item}]}`, { details: true })

it("the length of a JSON Feed is that of the file that was chosen", () => {
  const lengthOf = (...attachments: ReadonlyArray<object>) =>
    jsonItem(JSON.stringify({ attachments })).durationSeconds
  const picture = { url: "https://x.example/a.gif", mime_type: "image/gif", duration_in_seconds: 5 }
  const sound = { url: "https://x.example/a.mp3", mime_type: "audio/mpeg" }
  assert.strictEqual(lengthOf(picture, { ...sound, duration_in_seconds: 61 }), 61)
  assert.strictEqual(lengthOf(picture, sound), null)
})

it("an id of a JSON Feed keeps every digit", () => {
  const media = `"attachments": [{"url": "https://x.example/a.mp3"}]`
  for (const id of ["9007199254740993", "12345678901234567890", "-9007199254740993"]) {
    assert.strictEqual(jsonItem(`{"id": ${id}, ${media}}`).guid, id)
    assert.strictEqual(jsonItem(`{${media}, "id":${id}}`).guid, id)
  }
  const quoted = `{"id": "x", "title": "a \\", 9007199254740993", "summary": "[9007199254740993]", ${media}}`
  assert.deepInclude(jsonItem(quoted), { guid: "x", title: `a ", 9007199254740993` })
  assert.strictEqual(jsonItem(quoted).details?.summary, "[9007199254740993]")
  assert.strictEqual(jsonItem(`{"id": 1.5, "n": [9007199254740993], ${media}}`).guid, "1.5")
  assert.strictEqual(
    jsonItem(`{"id": 0.1234567890123456789, "n": [9007199254740993], ${media}}`).guid,
    "0.12345678901234568",
  )
})

it("a date of a JSON Feed may be a number", () => {
  const item = `{"date_published": 1136214245, "attachments": [{"url": "https://x.example/a.mp3"}]}`
  assert.strictEqual(jsonItem(item).publishedAt, Date.UTC(2006, 0, 2, 15, 4, 5))
})
