import { assert, it } from "@effect/vitest"
import { read } from "./reading.js"

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
