import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import * as contracts from "@earmark/testkit/contracts"
import { assert, it } from "@effect/vitest"

const guide = readFileSync(
  fileURLToPath(new URL("../../../docs/guides/own-parts.md", import.meta.url)),
  "utf8",
)

const isSuite = (name: string) => /^\w+Contracts?$/.test(name)

it("the guide to custom stores, queues and engines names every test suite that is exported, and no other", () => {
  const named = new Set([...guide.matchAll(/\b\w+Contracts?\b/g)].map(([name]) => name))
  assert.sameMembers([...named], Object.keys(contracts).filter(isSuite))
})
