import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import { argument, choice, command, flag, text, whole } from "../src/grammar/Grammar.js"
import { parse } from "../src/grammar/parse.js"

const spec = command({
  text: "Try",
  takes: {
    files: argument("file", "any", "Files"),
    output: text("Where to", { short: "o" }),
    format: choice(["srt", "vtt"], "What", { short: "f", alias: "to" }),
    jobs: whole("How many", { short: "j", fallback: 1 }),
    minutes: whole("How long"),
    query: text("What for", { short: "q" }),
    yes: flag("Do not ask", { short: "y" }),
    noKeep: flag("Keep nothing"),
  },
  examples: [],
})

const secretSpec = command({
  text: "Try",
  takes: { secret: text("Secrets", { repeated: true }), header: text("Header", { required: true }) },
  examples: [],
})

const read = (...words: ReadonlyArray<string>) => Either.getOrThrow(parse(["earmark", "try"], spec, words))

const refusal = (...words: ReadonlyArray<string>) =>
  Either.getOrThrow(Either.flip(parse(["earmark", "try"], spec, words)))

describe("a command line", () => {
  it("has its options anywhere, in every spelling", () => {
    for (const words of [
      ["a", "-o", "b", "-j4", "-fsrt", "c"],
      ["-o=b", "a", "c", "--jobs=4", "--to", "srt"],
      ["-ob", "-j=4", "--format=srt", "a", "c"],
      ["--output", "b", "-j", "4", "-f=srt", "--", "a", "c"],
    ]) {
      const { files, output, jobs, format, noKeep } = read(...words)
      assert.deepStrictEqual([files, jobs, noKeep], [["a", "c"], 4, false])
      assert.deepStrictEqual([output, format], ["b", "srt"])
    }
  })

  it("is empty, with defaults", () => {
    assert.deepStrictEqual(read(), {
      files: [],
      output: undefined,
      format: undefined,
      jobs: 1,
      minutes: undefined,
      query: undefined,
      yes: false,
      noKeep: false,
    })
  })

  it("never takes an option that stands twice for a word or a value", () => {
    assert.match(
      refusal("-o", "a.txt", "--output", "b.txt", "x"),
      /^--output is given twice\. Give it once\. See /,
    )
    assert.match(refusal("-q", "a", "--query", "b"), /^--query is given twice/)
    assert.match(refusal("-y", "--yes"), /^--yes is given twice/)
    assert.match(refusal("--to", "srt", "-f", "vtt"), /^--format is given twice/)
  })

  it("takes negative numbers, and words that begin with a digit's hyphen", () => {
    assert.deepStrictEqual(read("--minutes", "-3").minutes, -3)
    assert.deepStrictEqual(read("--minutes=-3").minutes, -3)
    assert.deepStrictEqual(read("-5", "-53").files, ["-5", "-53"])
  })

  it("takes every word behind -- as it is", () => {
    assert.deepStrictEqual(read("--", "--jobs", "-x").files, ["--jobs", "-x"])
  })

  it("takes - for standard input, as a word and as a value", () => {
    assert.deepStrictEqual(read("-").files, ["<standard input>"])
    for (const words of [["-o", "-"], ["-o-"], ["--output=-"]])
      assert.deepStrictEqual(read(...words).output, "<standard input>")
  })

  it("may give a flag its value", () => {
    for (const [words, expected] of [
      [["--yes=false"], false],
      [["--yes=no"], false],
      [["--yes", "false", "a"], false],
      [["--yes=true"], true],
      [["--yes", "a"], true],
      [["-y", "a"], true],
    ] as const)
      assert.strictEqual(read(...words).yes, expected, words.join(" "))
    assert.deepStrictEqual(read("--yes", "false", "a").files, ["a"])
    assert.match(refusal("--yes=maybe"), /^--yes takes no value/)
  })

  it("joins short flags", () => {
    const { yes, jobs } = read("-yj4")
    assert.deepStrictEqual([yes, jobs], [true, 4])
  })

  it("is refused in one sentence", () => {
    const tried: ReadonlyArray<readonly [ReadonlyArray<string>, RegExp]> = [
      [
        ["--outptu", "x"],
        /^earmark try has no option --outptu\. Did you mean --output\? See earmark try --help\.$/,
      ],
      [["-xyz"], /^earmark try has no option -xyz\. See /],
      [["a", "-o"], /^-o needs a value after it\./],
      [["-o", "--yes"], /^-o needs a value after it\./],
      [["-o", "-j4"], /^-o needs a value after it\./],
      [["-o", "--", "a"], /^-o needs a value after it\./],
      [["-jmany"], /^-j needs a whole number, not "many"\./],
      [["--jobs=1.5"], /^--jobs needs a whole number, not "1\.5"\./],
      [["--jobs="], /^--jobs needs a whole number, not ""\./],
      [["-f", "srtt"], /^-f takes one of srt, vtt, not "srtt"\. Did you mean srt\?/],
      [["--toString"], /has no option --toString\./],
    ]
    for (const [words, sentence] of tried) assert.match(refusal(...words), sentence, words.join(" "))
  })

  it("needs what must be given, once or several times", () => {
    const all = ["--secret", "a", "--secret=b", "--header", "h"]
    const given = Either.getOrThrow(parse(["earmark", "try"], secretSpec, all))
    assert.deepStrictEqual(given, { secret: ["a", "b"], header: "h" })
    const problem = (...words: ReadonlyArray<string>) =>
      Either.getOrThrow(Either.flip(parse(["earmark", "try"], secretSpec, words)))
    assert.match(problem("--header", "h"), /^earmark try needs --secret\./)
    assert.match(problem("--header=", "--secret", "a"), /^--header is empty\./)
    assert.match(problem(...all, "x"), /^earmark try does not take "x"\./)
  })
})
