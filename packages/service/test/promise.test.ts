import { readFileSync } from "node:fs"
import { join } from "node:path"
import { operations } from "@earmark/core/operations"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { makeEarmark, RequestRefused, Scripted, SecretsKeyDiffers, StoreMemory } from "../src/index.js"
import { type Earmark, refusal, startWithTalk } from "./promised.js"

let earmark: Earmark
let account: string
let folder: string
let stop: () => Promise<void>

beforeAll(async () => {
  ;({ earmark, account, folder, stop } = await startWithTalk())
})

afterAll(() => stop?.())

it("the guide names every method", () => {
  const guide = readFileSync(
    new URL("../../../docs/guides/transcribe-in-your-program.md", import.meta.url),
    "utf8",
  )
  const named = new Map(
    [...guide.matchAll(/^\| `(\w+)` \| (`.*`) \|$/gm)].map(([, group = "", methods = ""]) => [
      group,
      methods.replaceAll("`", "").split(", ").toSorted(),
    ]),
  )
  const groups = Object.entries(earmark).filter(([, group]) => typeof group === "object")
  assert.deepStrictEqual(
    Object.fromEntries(named),
    Object.fromEntries(groups.map(([name, group]) => [name, Object.keys(group).toSorted()])),
  )
})

it("opens a store with the secrets key that it was made with, and with no other", async () => {
  const context = await Effect.runPromise(Effect.scoped(Layer.build(StoreMemory.layer)))
  const open = (fill?: number) =>
    makeEarmark({
      store: Layer.succeedContext(context),
      surroundings: Scripted.layer(),
      ...(fill !== undefined && { secretsKey: Buffer.alloc(32, fill).toString("base64") }),
    })
  await (await open()).close()
  await (await open(1)).close()
  const error = await refusal(open(2))
  assert.instanceOf(error, SecretsKeyDiffers)
  assert.match(error.message, /^The secrets key is not the one that the store was made with: .* Give the key/)
  await (await open(1)).close()
})

describe("what programs without types get wrong", () => {
  it("accounts and grants that cannot be are refused with what is wrong, and where", async () => {
    const unsafe: Record<
      "accounts" | "credits",
      Record<string, (...given: Array<unknown>) => Promise<unknown>>
    > = Object(earmark)
    for (const [group, method, given, at] of [
      ["accounts", "create", [null], ""],
      ["accounts", "create", [{}], "name"],
      ["accounts", "create", [{ name: "Ann", mail: "ann@example.com" }], "mail"],
      ["credits", "grant", [account], ""],
      ["credits", "grant", [account, { credits: 5 }], "reference"],
      ["credits", "grant", [account, { credits: 0.5, reference: "gift" }], "credits"],
      ["credits", "grant", [account, { credits: 5, reference: "gift", asPurchase: "yes" }], "asPurchase"],
    ] as const) {
      const error = await refusal(unsafe[group][method]?.(...given) ?? Promise.resolve())
      assert.strictEqual(Reflect.get(error, "_tag"), "RequestInvalid", `${error}`)
      assert.include(error.message, at)
    }
  })

  it("settings that there are not are refused with the nearest name", async () => {
    const made = { store: StoreMemory.layer, surroundings: Scripted.layer() }
    for (const [given, message] of [
      [{ loglevel: "Debug" }, "makeEarmark has no `loglevel`. Did you mean `logLevel`?"],
      [{ worker: { gracee: 1 } }, "makeEarmark has no `worker.gracee`. Did you mean `worker.grace`?"],
      [{ delivery: { elephants: 1 } }, "makeEarmark has no `delivery.elephants`."],
    ] as const)
      assert.strictEqual((await refusal(makeEarmark({ ...made, ...(given as object) }))).message, message)
  })

  it("an account is given by its id", async () => {
    const whole: never = Object({ id: account }) as never
    const error = await refusal(earmark.transcribeFile(whole, join(folder, "talk.mp3")))
    assert.match(error.message, /`account\.id`/)
    assert.match((await refusal(earmark.transcriptions.list(whole))).message, /`account\.id`/)
    for (const [given, said] of [
      [undefined, "undefined"],
      [null, "null"],
      [7, "7"],
    ] as const)
      assert.strictEqual(
        (await refusal(earmark.transcriptions.list(given as never))).message,
        `The account is given by its id: a string, not ${said}`,
      )
  })

  it("refuses a value that is not a file, bytes or a stream, and says what it takes", async () => {
    for (const given of [5, null, undefined, {}, [1]]) {
      const error = await refusal(earmark.transcribeFile(account, given as never))
      assert.instanceOf(error, RequestRefused)
      assert.match(error.message, /^Give the path of a file, a Blob, bytes or a stream, not /)
    }
  })
})

describe("operations", () => {
  /** For the machines around a service. */
  const elsewhere = ["accounts.create", "credits.grant", "keys.accountOf", "uploads.add"]

  it("are all there, under the names of the table", () => {
    const names = Object.entries(earmark).flatMap(([group, calls]) =>
      typeof calls === "object" ? Object.keys(calls).map((name) => `${group}.${name}`) : [],
    )
    assert.deepStrictEqual([...names].sort(), [...Object.keys(operations), ...elsewhere].sort())
  })
})
