import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { slugOf } from "@earmark/core/text"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { placeOf } from "../src/results/destination.js"
import { nameOfAddress } from "../src/results/places.js"
import { makeClaims } from "../src/state/claims.js"
import { type Origin, rememberMade } from "../src/state/made.js"

const root = mkdtempSync(join(tmpdir(), "earmark-made-"))
afterAll(() => rmSync(root, { recursive: true }))

const remember = (memory: string) => rememberMade(memory, makeClaims(join(memory, "claims")))

let worlds = 0
const newWorld = () => {
  const folder = mkdtempSync(join(root, `w${worlds++}-`))
  const memory = join(folder, ".state")
  return { folder, memory, made: remember(memory) }
}

const untitled = { title: null, show: null, publishedAt: null, guid: null }

const fileOf = (folder: string, name: string) =>
  placeOf({ type: "file", name, path: join(folder, name), below: "" }, untitled, null, null, 1)

const linkTo = (folder: string, title: string) =>
  placeOf({ type: "link", name: "https://e.example/x.mp3" }, { ...untitled, title }, folder, null, 1)

const originOf = (source: string, asked = "a"): Origin => ({ source, asked })

describe("where results go", () => {
  it.effect(
    "a second run finds them done; another wish, or another state of the source, makes them anew",
    () =>
      Effect.gen(function* () {
        const { folder, memory, made } = newWorld()
        const place = fileOf(folder, "talk.mp3")
        const first = yield* made.choose(place, ["txt", "srt"], originOf("talk"), "update")
        assert.deepStrictEqual(
          first.targets.map(({ path }) => path),
          [join(folder, "talk.txt"), join(folder, "talk.srt")],
        )
        for (const { path } of first.targets) {
          writeFileSync(path, "made")
          yield* made.remember(path, originOf("talk"))
        }
        const later = remember(memory)
        const again = yield* later.choose(place, ["txt", "srt", "vtt"], originOf("talk"), "update")
        assert.deepStrictEqual(
          again.targets.map(({ format }) => format),
          ["vtt"],
        )
        assert.strictEqual(
          (yield* later.choose(place, ["txt"], originOf("talk", "b"), "update")).targets.length,
          1,
        )
        assert.strictEqual((yield* later.choose(place, ["txt"], originOf("talk"), "force")).targets.length, 1)
      }),
  )

  it.effect("what one publisher wrote is foreign to others; what was heard is not", () =>
    Effect.gen(function* () {
      const { folder, made } = newWorld()
      const [text, sound] = [join(folder, "text.txt"), join(folder, "sound.txt")]
      const by = (publisher: string | null): Origin => ({ ...originOf("talk"), publisher })
      for (const path of [text, sound]) writeFileSync(path, "made")
      yield* made.remember(text, by("https://a.example/feed"))
      yield* made.remember(sound, originOf("talk"))
      const keeping = (path: string, origin: Origin) => made.keeping(path, origin, "update")
      assert.strictEqual(yield* keeping(text, by("https://a.example/feed")), "done")
      for (const other of [by("https://b.example/feed"), by(null)])
        assert.strictEqual(yield* keeping(text, other), "foreign")
      assert.strictEqual(yield* keeping(sound, by("https://b.example/feed")), "done")
    }),
  )

  it.effect("what somebody has changed since is left alone", () =>
    Effect.gen(function* () {
      const { folder, made } = newWorld()
      const path = join(folder, "talk.txt")
      writeFileSync(path, "made")
      yield* made.remember(path, originOf("talk"))
      const asBefore = made.choose(fileOf(folder, "talk.mp3"), ["txt"], originOf("talk"), "update")
      assert.isFalse((yield* asBefore).isChanged)
      writeFileSync(path, "made, and corrected by hand")
      const { targets: none, present, isChanged } = yield* asBefore
      assert.deepStrictEqual([none.length, present.length, isChanged], [0, 1, true])
      assert.strictEqual(yield* made.keeping(path, originOf("talk"), "update"), "kept")
      const next = join(folder, "next.txt")
      yield* made.expect(next, originOf("talk"))
      assert.isNull(yield* made.keeping(next, originOf("talk"), "update"))
      writeFileSync(next, "made, and killed before it was remembered")
      assert.strictEqual(yield* made.keeping(next, originOf("talk"), "update"), "done")
      const { targets, others } = yield* made.choose(
        fileOf(folder, "talk.mp3"),
        ["txt"],
        originOf("talk", "b"),
        "update",
      )
      assert.deepStrictEqual([targets, others], [[], "edited"])
    }),
  )

  it.effect("two recordings of one name have two results, in this run and in the next", () =>
    Effect.gen(function* () {
      const { folder, memory, made } = newWorld()
      const names: Array<string> = []
      for (const name of ["talk.mp3", "talk.wav"]) {
        const { targets } = yield* made.choose(fileOf(folder, name), ["txt"], originOf(name), "update")
        names.push(...targets.map(({ path }) => path))
      }
      assert.deepStrictEqual(names, [join(folder, "talk.txt"), join(folder, "talk.wav.txt")])
      const [first = ""] = names
      writeFileSync(first, "made")
      yield* made.remember(first, originOf("talk.mp3"))
      const { targets } = yield* remember(memory).choose(
        fileOf(folder, "talk.wav"),
        ["txt"],
        originOf("talk.wav"),
        "force",
      )
      assert.deepStrictEqual(
        targets.map(({ path }) => path),
        [join(folder, "talk.wav.txt")],
      )
    }),
  )

  it.effect(
    "a file that nobody remembers is the result of the file beside it, and in the way of a link",
    () =>
      Effect.gen(function* () {
        const { folder, made } = newWorld()
        writeFileSync(join(folder, "talk.txt"), "by hand")
        const beside = yield* made.choose(fileOf(folder, "talk.mp3"), ["txt"], originOf("talk"), "update")
        assert.deepStrictEqual([beside.targets, beside.others], [[], "unknown"])
        const link = yield* made.choose(linkTo(folder, "Talk!"), ["txt"], originOf("link"), "update")
        assert.deepStrictEqual(
          link.targets.map(({ path }) => path),
          [join(folder, "talk-2.txt")],
        )
        assert.isFalse(existsSync(join(folder, "talk-2.txt")))
      }),
  )
})

describe("names", () => {
  it("are letters and digits of any script", () => {
    assert.strictEqual(
      slugOf("  Ep. 12: Wer liest, schreibt – über Bücher?! "),
      "ep-12-wer-liest-schreibt-über-bücher",
    )
    assert.strictEqual(slugOf("第1回 図書館"), "第1回-図書館")
    assert.strictEqual(slugOf("../../etc/passwd"), "etc-passwd")
    assert.strictEqual(slugOf("…"), "")
    assert.strictEqual(slugOf("a".repeat(300)).length, 80)
    assert.strictEqual(encodeURIComponent(slugOf(`${"a".repeat(79)}\u{20000}`)).length, 79)
  })

  it("come from the address where there is no title", () => {
    assert.strictEqual(nameOfAddress("https://cdn.example/shows/Episode%207.mp3?x=1"), "episode-7")
    assert.strictEqual(nameOfAddress("https://cdn.example/"), "cdn-example")
  })
})
