import { classifyLink, mediaIdentity, sniff } from "@earmark/core/links"
import { Either } from "effect"

// #region classify
const pasted = [
  "https://cdn.marks.example/5.mp3",
  "Listen here: <https://podcasts.apple.com/us/podcast/marks/id1234567890?i=1000600000001>!",
  "feed://marks.example/rss",
  "youtu.be/dQw4w9WgXcQ?t=42",
  "http://192.168.0.1/a.mp3",
  "two readers, one book",
]
for (const text of pasted) {
  console.log(
    Either.match(classifyLink(text), {
      onLeft: ({ reason, message }) => `refused, ${reason}: ${message}`,
      onRight: (link) => `${link.kind}: ${link.kind === "upload" ? link.mediaRef : link.url}`,
    }),
  )
}
// #endregion

// #region identity
console.log(mediaIdentity("https://pdst.fm/e/cdn.marks.example/5.mp3?utm_source=app"))
// #endregion

// #region sniff
console.log(sniff(Buffer.from("WEBVTT\n\n00:00.000 --> 00:01.000\nHello")))
// #endregion
