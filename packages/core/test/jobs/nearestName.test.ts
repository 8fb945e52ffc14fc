import { nearestName } from "@earmark/core/jobs"
import { assert, it } from "@effect/vitest"
import { FastCheck } from "effect"

const known = [
  "url",
  "media_ref",
  "blob_url",
  "episode_guid",
  "episode_index",
  "language",
  "diarize",
  "translate_to",
  "quality",
  "start_at",
]

it.each([
  ["diarise", "diarize"],
  ["diarzie", "diarize"],
  ["Diarize", "diarize"],
  ["translateTo", "translate_to"],
  ["mediaref", "media_ref"],
  ["media-ref", "media_ref"],
  ["ur", "url"],
  ["ulr", "url"],
  ["urls", "url"],
  ["langauge", "language"],
  ["lang", undefined],
  ["episode_gid", "episode_guid"],
  ["startat", "start_at"],
  ["callback", undefined],
  ["", undefined],
  ["x", undefined],
  ["____", undefined],
  ["a".repeat(65), undefined],
])("%s was meant as %s", (unknown, expected) => {
  assert.strictEqual(nearestName(unknown, known), expected)
})

it("takes the first of two that are equally near", () => {
  assert.strictEqual(nearestName("cat", ["bat", "hat"]), "bat")
})

const name = FastCheck.stringMatching(/^[a-z]{4,12}$/)

it.prop("finds a name with two neighbours swapped", { name, at: FastCheck.nat(10) }, (given) => {
  const at = given.at % (given.name.length - 1)
  const letters = [...given.name]
  letters.splice(at, 2, given.name[at + 1] ?? "", given.name[at] ?? "")
  assert.strictEqual(nearestName(letters.join(""), [given.name]), given.name)
})

it.prop("finds a name with a letter too few", { name, at: FastCheck.nat(11) }, (given) => {
  const at = given.at % given.name.length
  assert.strictEqual(
    nearestName(given.name.slice(0, at) + given.name.slice(at + 1), [given.name]),
    given.name,
  )
})
