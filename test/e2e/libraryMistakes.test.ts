import { afterAll, assert, describe, it } from "@effect/vitest"
import { makeWorlds } from "./worlds.js"

const { world, close } = makeWorlds("library-mistakes")
afterAll(close)

describe("the library of this machine", () => {
  it.each([
    [["jobs", "show"], 2, "earmark jobs show needs <id>."],
    [["jobs", "delete"], 2, "earmark jobs delete needs <id>, --failed, or --all"],
    [["jobs", "delete", "--failed", "tr_none"], 2, "earmark jobs delete needs <id>, --failed, or --all"],
    [["ask", "When", "do", "the"], 2, 'earmark ask does not take "the". Put the question in quotes'],
    [["ask", "When", "do"], 2, '"do" is not the id of a transcription. Put the question in quotes'],
    [["search", "x", "--after", "foo"], 2, "--after needs a day such as 2026-11-01, a time such as"],
    [
      ["search", "x", "--speaker", "Bob", "--after", "30d"],
      1,
      'Nothing was found for "x" with --speaker Bob and --after 30d.',
    ],
    [["publish", "--out", "site"], 1, "There are no finished transcripts to publish."],
    [["jobs", "list", "--local", "--profile", "x"], 2, "Give --local, or name a server: not both."],
    [["jobs", "list", "--batch", "batch_1"], 2, "--batch is for a server"],
    [["jobs", "list", "--limit", "0"], 2, "--limit: Expected a"],
    [["search", ""], 2, "<words>: Expected a text of 1 to 500 characters"],
    [["jobs", "list", "-q", ""], 2, "--query: Expected a"],
    [["search", "x", "--context", "7"], 2, "--context: "],
    [["search"], 2, "earmark search needs <words>."],
    [["search", "nothing", "of this"], 1, 'earmark: Nothing was found for "nothing of this".\n'],
    [["search", "--regex", "[a"], 2, '--regex cannot use "[a"'],
    [["search", "x", "--all", "--cursor", "c"], 2, "--all lists everything, and --cursor goes on"],
    [["export", "tr_none"], 1, "There is nothing with the id tr_none in the library of this machine ("],
    [["export", "tr_none", "--json"], 2, "--json tells what was written with -o FILE"],
    [["export", "tr_none", "--link"], 2, "--link needs a server"],
    [["export", "tr_none", "-o", "x.pdf"], 2, "The name x.pdf does not tell its format."],
    [
      ["export", "tr_none", "-o", "y.srt", "--format", "vtt"],
      2,
      "y.srt is named as srt, and --format asks for vtt: name it y.vtt, or leave out --format.",
    ],
  ] as const)("says what is wrong with %s", async (args, code, sentence) => {
    const ran = await world().command(...args)
    assert.include(ran.stderr, sentence)
    assert.deepStrictEqual([ran.code, ran.stdout], [code, ""])
  })
})
