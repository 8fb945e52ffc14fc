// No regular expression of the packages takes more than linear time, whatever it is given.
import { assert, describe, it } from "@effect/vitest"
import { analyse } from "scslre"
import { vi } from "vitest"
import { regularExpressionsOf, sourceFiles } from "./regex/collect.js"
import { findAttack } from "./regex/pump.js"

/** What `RegExp` was called with, and the lines that called it. */
const built: Array<{ readonly pattern: RegExp; readonly stack: string }> = []
const { RegExp: original } = globalThis
const record = (pattern: RegExp): RegExp => {
  built.push({ pattern, stack: new Error("built").stack ?? "" })
  return pattern
}
const recording = new Proxy(original, {
  construct: (_, [source, flags]) => record(new original(source, flags)),
  apply: (_, __, [source, flags]) => record(new original(source, flags)),
})

const collected = sourceFiles.map((file) => regularExpressionsOf(file))
const calls = collected.flatMap((each) => each.built)
// Those that another file of this process has loaded are loaded again.
vi.resetModules()
globalThis.RegExp = recording
for (const file of new Set(calls.map(({ file }) => file))) await import(file)
globalThis.RegExp = original

/** Each expression once, with all its places. */
const patterns = new Map<string, { readonly pattern: RegExp; readonly places: Array<string> }>()
const add = (pattern: RegExp, place: string) => {
  const known = patterns.get(String(pattern))
  if (known === undefined) patterns.set(String(pattern), { pattern, places: [place] })
  else known.places.push(place)
}
for (const { pattern, place } of collected.flatMap(({ found }) => found)) add(pattern, place)
/** Where a user gives a pattern for the own library: its time has a limit. */
const OF_USERS = ["packages/batch/src/library/searchPattern.ts"]

const unseen = calls.filter(({ place }) => {
  if (OF_USERS.some((file) => place.startsWith(`${file}:`))) return false
  const here = built.filter(({ stack }) => stack.includes(`${place}:`))
  for (const { pattern } of here) add(pattern, place)
  return here.length === 0
})

/** What reading the expression says of it: parts that begin anew at each character, or share a text in many ways. */
const faults = (pattern: RegExp): ReadonlyArray<string> => {
  const { source, flags } = pattern
  return analyse({ source, flags }).reports.map(
    ({ type, character }) => `${type} on ${character.literal.source.slice(0, 40)}`,
  )
}

describe("every regular expression of the packages", () => {
  it("is known when its module is loaded, so that none escapes", () => {
    assert.isAbove(patterns.size, 500)
    assert.isAbove(calls.length, 15)
    assert.deepStrictEqual(
      unseen,
      [],
      "built in a function, or from a text: write it so that loading its module builds it",
    )
  })

  it("has no parts that share a text in many ways, or begin anew within what they repeat", () => {
    const found = [...patterns.values()].flatMap(({ pattern, places }) =>
      faults(pattern).map((fault) => `${places.join(", ")}: ${pattern} ${fault}`),
    )
    assert.deepStrictEqual(found, [])
  })

  it("takes linear time on texts that repeat its own parts", () => {
    const found = [...patterns.values()].flatMap(({ pattern, places }) => {
      const attack = findAttack(pattern)
      return attack === undefined ? [] : [`${places.join(", ")}: ${pattern} ${JSON.stringify(attack)}`]
    })
    assert.deepStrictEqual(found, [])
  })
})

describe("the check", () => {
  for (const pattern of [
    /\/+$/,
    /\s+$/,
    /^\s*\d+\s*\d*$/,
    /^[A-Za-z0-9+/\s]*={0,2}\s*$/,
    /<[^>]*>/,
    /\([^)]*\)?$/,
    /(?:a|b)*c/,
    /^(?:a+)+$/,
    /a(?=.*b)|a/g,
    /&(?:#[^;]*;)?/g,
    /\[[^\]]+\]|\[/g,
    /(?<=a.*)b/g,
    /[ \t]*;/y,
    /^\s*x/m,
    /^This option .*repeated.*\.$/,
    /--?[a-z][a-z-]*(?=,| |$)/g,
    /\d+(?:\.\d+)+/,
    /m+h*m+(?!\p{L})/u,
    /^(\w+\s?)*$/,
  ]) {
    // Other work of the machine can hide how time grows, so it is looked for again; it never makes what is linear grow twice.
    it(`finds ${pattern}`, () =>
      assert.isDefined(findAttack(pattern) ?? findAttack(pattern) ?? findAttack(pattern)))
  }

  for (const pattern of [/\/+/g, /(?<!\s)\s+$/, /^\s*\d+$/, /<[^<>]*>/g, /[a-z]{1,40}:/, /,\s*/g]) {
    it(`lets ${pattern} pass`, () => assert.isUndefined(findAttack(pattern)))
  }

  it("sees literals, calls, and texts that are read as expressions", () => {
    const text = [
      "const a = /a+/g",
      "const b = new RegExp('b')",
      "const c = globalThis.RegExp(`c`)",
      "text.match('d')",
      "text.split(/e/)",
    ].join("\n")
    const { found, built } = regularExpressionsOf("x.ts", text)
    assert.deepStrictEqual(
      found.map(({ pattern }) => String(pattern)),
      ["/a+/g", "/e/"],
    )
    assert.deepStrictEqual(
      built.map(({ place }) => place),
      ["x.ts:2", "x.ts:3", "x.ts:4"],
    )
  })
})
