import { fileTitle } from "@earmark/core/links"
import { assert, describe, it } from "@effect/vitest"

const TITLES = {
  "interview.mp3": "interview",
  "Grüße an alle.M4A": "Grüße an alle",
  "one.v2.mp3": "one.v2",
  "no extension": "no extension",
  "../../etc/passwd.wav": "passwd",
  "C:\\Talks\\first.ogg": "first",
  "folder/": "folder",
  " The\u0007 second\n one.mp3\n": "The second one",
  "\u202egnp.mp3": "gnp",
  [`${"x".repeat(400)}.mp3`]: "x".repeat(300),
  ".mp3": null,
  "\t\n.mp3": null,
  "///": null,
  "": null,
}

describe("the title of a file", () => {
  for (const [name, title] of Object.entries(TITLES)) {
    it(`of ${JSON.stringify(name.slice(0, 40))}`, () => assert.strictEqual(fileTitle(name), title))
  }
})
