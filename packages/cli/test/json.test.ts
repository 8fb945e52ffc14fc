import { assert, describe, it } from "@effect/vitest"
import { root } from "../src/grammar/commands.js"
import type { CommandSpec } from "../src/grammar/Grammar.js"

/** Commands without: servers, a dialog, and those that write a document in a chosen format, or one path. */
const WITHOUT = ["serve", "worker", "mcp", "setup", "align", "config path"]

const leaves = (spec: CommandSpec, path: string): ReadonlyArray<readonly [string, CommandSpec]> => [
  ...(spec.takes === undefined ? [] : [[path, spec] as const]),
  ...Object.entries(spec.commands ?? {}).flatMap(([name, inner]) => leaves(inner, `${path} ${name}`.trim())),
]

describe("--json", () => {
  it("is an option of every command that has an answer", () => {
    const without = leaves(root, "").filter(([, { takes }]) => takes?.json === undefined)
    assert.deepStrictEqual(without.map(([path]) => path).sort(), [...WITHOUT].sort())
  })
})
