import { assert, describe, it } from "@effect/vitest"
import { earmark } from "./earmark.js"

const oneSentence = /^earmark: [^\n]+\n$/

describe("the command line itself", () => {
  it("prints help on standard output, and nothing else", async () => {
    const { code, stdout, stderr } = await earmark(["--help"])
    assert.strictEqual(code, 0)
    assert.match(stdout, /Usage: earmark COMMAND/)
    for (const name of ["feed", "captions", "webhook"]) assert.include(stdout, name)
    assert.strictEqual(stderr, "")
  })

  it("prints the help of a command with examples", async () => {
    const { code, stdout } = await earmark(["webhook", "verify", "--help"])
    assert.strictEqual(code, 0)
    assert.match(stdout, /Usage: earmark webhook verify/)
    assert.match(stdout, /Examples:\n {2}earmark webhook verify/)
  })

  it("prints its version", async () => {
    const { code, stdout } = await earmark(["--version"])
    assert.strictEqual(code, 0)
    assert.match(stdout.trim(), /^\d+\.\d+\.\d+$/)
  })

  for (const shell of ["bash", "zsh", "fish"]) {
    it(`prints completions for ${shell}`, async () => {
      const { code, stdout } = await earmark(["--completions", shell])
      assert.strictEqual(code, 0)
      assert.include(stdout, "feed")
    })
  }

  const wrong: ReadonlyArray<readonly [ReadonlyArray<string>, RegExp]> = [
    [["fed"], /no command "fed".*Did you mean feed\?/],
    [["webhook", "verfy"], /no command "verfy".*Did you mean verify\?/],
    [["feed"], /needs <source>/],
    [["feed", "a.xml", "b.xml"], /does not take "b.xml"/],
    [["feed", "--limt", "3", "a.xml"], /no option --limt\. Did you mean --limit\?/],
    [["feed", "a.xml", "--limit", "many"], /"many" is not a whole number/],
    [["feed", "a.xml", "--limit"], /--limit needs a value/],
    [["webhook", "verify", "--header", "t=1,v1=a"], /needs --secret/],
  ]
  for (const [args, message] of wrong) {
    it(`answers "earmark ${args.join(" ")}" with one sentence and exit code 2`, async () => {
      const { code, stdout, stderr } = await earmark(args)
      assert.strictEqual(code, 2)
      assert.strictEqual(stdout, "")
      assert.match(stderr, oneSentence)
      assert.match(stderr, message)
    })
  }
})
