import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { withProgram } from "../../servers/withProgram.js"
import { root } from "../earmark.js"
import {
  accountsAndMoney,
  answerOf,
  type Environment,
  newFolder,
  refusal,
  removeFolders,
  run,
} from "./operator.js"

const program = withProgram(new URL("../holder.ts", import.meta.url))
const holders: Array<ChildProcess> = []

afterAll(() => {
  for (const holder of holders) holder.kill("SIGKILL")
  removeFolders()
}, 60_000)

/** Whether a Postgres runs in the data folder. */
const isServed = (folder: string): boolean => existsSync(join(folder, "postgres", "data", "postmaster.pid"))

/** Another process with the store, as a service has it. */
const startHolder = (environment: Environment) =>
  new Promise<ChildProcess & { readonly errors: () => string }>((resolve, reject) => {
    const child = spawn(process.execPath, [program()], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, EARMARK_ENGINE: "scripted", ...environment },
    })
    holders.push(child)
    let errors = ""
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      errors += text
    })
    child.stdout.once("data", () => resolve(Object.assign(child, { errors: () => errors })))
    child.once("exit", () => reject(new Error(`the holder ended: ${errors}`)))
  })

const ended = (child: ChildProcess, signal: NodeJS.Signals) =>
  new Promise<number | null>((resolve) => {
    child.once("exit", resolve)
    child.kill(signal)
  })
describe("administration of the embedded store", () => {
  const environment = { EARMARK_DATA_DIR: join(newFolder(), "data") }

  it("a folder without a store is told, and gets none", { timeout: 60_000 }, async () => {
    const empty = { EARMARK_DATA_DIR: join(newFolder(), "elsewhere") }
    for (const verb of [
      ["credits", "verify"],
      ["accounts", "show", "acct_1"],
      ["jobs", "dead"],
    ]) {
      await refusal(empty, 1, /^earmark: There is no store in .+elsewhere\. .+ \[store_missing\]/, ...verb)
    }
    await refusal(
      empty,
      2,
      /^earmark: earmark accounts create needs --name or --email\./,
      "accounts",
      "create",
    )
    assert.isFalse(existsSync(empty.EARMARK_DATA_DIR))
  })

  it("works when no service runs, also for several commands at once", { timeout: 180_000 }, async () => {
    const create = (name: string) => answerOf(environment, "accounts", "create", "--name", name)
    const first = await create("ann")
    const names = ["ann", "ben", "cem", "dov"]
    const made = [first, ...(await Promise.all(names.slice(1).map(create)))]
    assert.strictEqual(new Set(made.map(({ id }) => id)).size, names.length)
    const listed = await answerOf(environment, "accounts", "list", "--limit", "2")
    assert.strictEqual(listed.has_more, true)
    const rest = await answerOf(environment, "accounts", "list", "--cursor", listed.next_cursor)
    assert.deepStrictEqual([...listed.data, ...rest.data].map(({ name }) => name).sort(), names)

    assert.strictEqual(statSync(join(environment.EARMARK_DATA_DIR, "secrets-key")).mode & 0o777, 0o600)
    assert.isFalse(isServed(environment.EARMARK_DATA_DIR))
    const { stdout } = await run(environment, "accounts", "show", made[0].id)
    assert.match(stdout, /^balance\s+60$/m)
  })

  it("works beside a service, and on when that is killed", { timeout: 180_000 }, async () => {
    // Long: the path of the socket would not fit.
    const folder = join(newFolder(), "d".repeat(120))
    const environment = { EARMARK_DATA_DIR: folder }
    const holder = await startHolder(environment)
    const file = join(folder, "first-key")
    assert.strictEqual(statSync(file).mode & 0o777, 0o600)
    const firstKey = readFileSync(file, "utf8").trim()
    assert.match(firstKey, /^em_live_[0-9A-Za-z]{36}$/)
    assert.include(holder.errors(), file)
    assert.notInclude(holder.errors(), firstKey)

    await accountsAndMoney(environment)
    assert.isTrue(isServed(folder))
    assert.deepStrictEqual(await answerOf(environment, "migrate"), { store: "embedded", applied: 0 })
    await refusal(
      environment,
      1,
      /No account with id acct_x\. \[account_not_found\]/,
      "accounts",
      "show",
      "acct_x",
    )

    await ended(holder, "SIGKILL")
    const { data } = await answerOf(environment, "accounts", "list")
    assert.deepStrictEqual(
      data.map(({ name }: { readonly name: string }) => name),
      ["ann@example.org", "default"],
    )
    const next = await startHolder(environment)
    assert.strictEqual((await answerOf(environment, "accounts", "list")).data.length, 2)
    assert.strictEqual(readFileSync(file, "utf8").trim(), firstKey)
    assert.strictEqual(await ended(next, "SIGTERM"), 0)
    // The last one out has stopped it.
    assert.isFalse(isServed(folder))
  })

  it("refuses in one sentence with a code", { timeout: 180_000 }, async () => {
    const { data } = await answerOf(environment, "accounts", "list", "--limit", "1")
    const of = ["--account", data[0].id]
    await refusal(
      environment,
      2,
      /^earmark: earmark accounts create needs --name or --email\./,
      "accounts",
      "create",
    )
    await refusal(environment, 1, /\[out_of_credits\]/, "credits", "grant", ...of, "--minutes=-61")
    await refusal(environment, 2, /keys has no command "creat".*Did you mean create\?/, "keys", "creat")
    await refusal(environment, 2, /grant needs --minutes/, "credits", "grant", ...of)
    const wrong = { ...environment, EARMARK_WORKERS: "x", EARMARK_MIGRATE: "y" }
    await refusal(wrong, 1, /EARMARK_MIGRATE must .* EARMARK_WORKERS must/, "accounts", "list")
    const file = { EARMARK_DATA_DIR: `${root}package.json` }
    await refusal(file, 1, /The data folder .* cannot be used: it is a file/, "accounts", "list")
    const below = { EARMARK_DATA_DIR: `${root}package.json/data` }
    await refusal(below, 1, /cannot be used: a part of its path is a file/, "accounts", "list")
    const mistyped = await run({ ...environment, EARMARK_WORKRES: "3" }, "accounts", "list")
    assert.strictEqual(mistyped.code, 0)
    assert.match(mistyped.stderr, /EARMARK_WORKRES .* Did you mean EARMARK_WORKERS\?/)
  })
})
