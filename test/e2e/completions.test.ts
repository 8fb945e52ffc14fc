import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { earmark } from "./earmark.js"

const place = mkdtempSync(join(tmpdir(), "earmark-completions-"))
afterAll(() => rmSync(place, { recursive: true }))

const SHELLS = ["bash", "zsh", "fish"] as const

const state = join(place, "state")

const idOf = (digit: number, number: number) => `tr_${digit}${String(number).padStart(25, "0")}`

/** More than anybody would look through begin with tr_1. */
const KEPT = [idOf(0, 1), idOf(0, 2), ...Array.from({ length: 3000 }, (_, at) => idOf(1, at))]

beforeAll(async () => {
  const library = join(state, "earmark/library")
  mkdirSync(library, { recursive: true })
  for (const [at, id] of KEPT.entries()) {
    writeFileSync(join(library, `${1_700_000_000_000 + at}-${id}.${at === 0 ? "failed" : "done"}.json`), "")
    writeFileSync(join(library, `${id}.gz`), "")
  }
  mkdirSync(join(place, "folder"))
  writeFileSync(join(place, "talk one.mp3"), "")
  for (const shell of SHELLS) {
    const { code, stdout } = await earmark(["--completions", shell])
    assert.strictEqual(code, 0)
    assert.notMatch(stdout, /wizard|log-level|feed-watch/)
    writeFileSync(join(place, `earmark.${shell}`), stdout)
  }
})

/** Each line as it is typed, and what a shell offers for its last word. */
const TRIED: ReadonlyArray<readonly [line: string, offered: ReadonlyArray<string>]> = [
  ["earmark tra", ["transcribe"]],
  ["earmark --vers", ["--version"]],
  ["earmark --completions f", ["fish"]],
  ["earmark feed wa", ["watch"]],
  ["earmark feed ta", ["talk one.mp3"]],
  ["earmark feed watch --back", ["--backlog"]],
  ["earmark feed watch ta", []],
  ["earmark mcp --lo", ["--local"]],
  ["earmark transcribe --jo", ["--jobs"]],
  ["earmark transcribe a.mp3 --quality ", ["accurate", "fast"]],
  ["earmark transcribe --format v", ["vtt"]],
  ["earmark transcribe ta", ["talk one.mp3"]],
  ["earmark transcribe --watch fo", ["folder"]],
  ["earmark transcribe --start t", []],
  ["earmark keys cre", ["create"]],
  ["earmark keys create ta", []],
  ["earmark credits pur", ["purchases"]],
  ["earmark credits purchases --op", ["--open"]],
  ["earmark credits conf", ["confirm"]],
  ["earmark webhooks redel", ["redeliver"]],
  ["earmark jobs show ta", []],
  ["earmark jobs show tr_0", KEPT.slice(0, 2)],
  [`earmark jobs delete ${KEPT[0]} tr_0`, KEPT.slice(0, 2)],
  ["earmark export tr_0", KEPT.slice(0, 2)],
  ["earmark search words --job tr_0", KEPT.slice(0, 2)],
  ["earmark ask question tr_0", KEPT.slice(0, 2)],
  ["earmark jobs retry tr_1", KEPT.slice(-50)],
  ["earmark captions --to sr", ["srt"]],
  ["earmark align ta", ["talk one.mp3"]],
  ["earmark models add fo", ["folder"]],
  ["earmark models pull silero-v", ["silero-vad"]],
  ["earmark models pull silero-vad moonshine-t", ["moonshine-tiny"]],
  ["earmark models remove moonshine-base-", ["moonshine-base-en"]],
  ["earmark usage --from fo", []],
  ["earmark hel", ["help"]],
]

/** How bash breaks a line into words is its own. */
const TRIED_IN_BASH: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
  ["earmark transcribe --format = s", ["srt"]],
  ["earmark transcribe --format =", ["csv", "html", "json", "md", "srt", "txt", "vtt"]],
  ["earmark transcribe --format txt,sr", ["txt,srt"]],
  ["earmark transcribe --format txt,vtt,sr", ["txt,vtt,srt"]],
]

/** As bash itself calls it: the words of the line, and the one that the cursor is in. */
const inBash = (line: string) => [
  ...["--norc", "-c"],
  `set -u; source ./earmark.bash; COMP_WORDS=(${line.replace(/ $/, " ''")}); COMP_CWORD=$((\${#COMP_WORDS[@]}-1)); _earmark; printf '%s\\n' "\${COMPREPLY[@]}"`,
]

/** zsh completes at a terminal alone: one of its own is made, and what would be listed is told. */
const ZSH_INSIDE = `PROMPT=
autoload -Uz compinit && compinit -u -d ./seen
source ./earmark.zsh
bindkey '^I' complete-word
begin() { print }
finish() { print -r -- '<END>'; exit }
compprefuncs=(begin)
comppostfuncs=(finish)
compadd() {
  local -a found
  builtin compadd -A found "$@"
  for one in $found; do print -r -- "+$one"; done
  builtin compadd "$@"
}
print ready
`
const ZSH_OUTSIDE = `zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z 'source ./inside.zsh'
while zpty -r z line; do [[ $line == ready* ]] && break; done
zpty -w -n z "$1"$'\\t'
while zpty -r z line; do print -rn -- "$line"; [[ $line == *'<END>'* ]] && break; done
`

const inZsh = (line: string) => {
  writeFileSync(join(place, "inside.zsh"), ZSH_INSIDE)
  return ["-f", "-c", ZSH_OUTSIDE, "zsh", line]
}

const inFish = (line: string) => ["--no-config", "-c", `source ./earmark.fish; complete -C '${line}'`]

/** Shells differ in how they write a name with a blank, or that of a folder, and in what they say beside it. */
const wordOf = (line: string): string => (line.split("\t")[0] ?? "").replaceAll("\\", "").replace(/\/$/, "")

const offered = (
  shell: (typeof SHELLS)[number],
  line: string,
  env: NodeJS.ProcessEnv = { ...process.env, XDG_STATE_HOME: state },
): ReadonlyArray<string> => {
  const args = { bash: inBash, zsh: inZsh, fish: inFish }[shell](line)
  const { stdout, stderr } = spawnSync(shell, args, {
    cwd: place,
    encoding: "utf8",
    timeout: 30_000,
    env,
  })
  assert.strictEqual(stderr, "")
  const lines = stdout.split(/\r?\n/)
  const told = shell === "zsh" ? lines.filter((each) => each.startsWith("+")) : lines
  const words = told.map((each) => wordOf(each.replace(/^\+/, ""))).filter((word) => word !== "")
  return [...new Set(words)].sort()
}

describe("earmark --completions", () => {
  for (const shell of SHELLS) {
    const isHere = spawnSync(shell, ["-c", ""]).error === undefined
    const why = isHere ? "" : ` (needs ${shell}: sudo apt-get install ${shell})`
    it.skipIf(!isHere)(`completes commands, options, choices and files in ${shell}${why}`, () => {
      for (const [line, expected] of TRIED)
        assert.deepStrictEqual(offered(shell, line), expected, `${shell}: ${line}`)
      for (const [line, expected] of shell === "bash" ? TRIED_IN_BASH : [])
        assert.includeMembers([...offered(shell, line)], [...expected], line)
      // Where nothing else was set, the library is below the home.
      const home = { ...process.env, HOME: place, XDG_STATE_HOME: undefined }
      assert.deepStrictEqual(offered(shell, "earmark jobs show tr_", home), [])
    })
  }
})
