import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { makeEarmark, ObjectStoreMemory, Scripted } from "@earmark/service"
import { SqlStore } from "@earmark/sql"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Layer, Redacted } from "effect"
import { build } from "esbuild"
import { Client } from "pg"
import { type PostgresServer, postgresMissing, startPostgres } from "../servers/postgresServer.js"
import { earmark, type Ran, root } from "./earmark.js"

type Environment = Readonly<Record<string, string>>

const folders: Array<string> = []

const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "earmark-e2e-"))
  folders.push(folder)
  return folder
}

const program = `${root}node_modules/.cache/earmark/holder-${process.pid}.mjs`
const holders: Array<ChildProcess> = []

beforeAll(() =>
  build({
    entryPoints: [`${root}test/e2e/holder.ts`],
    outfile: program,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    conditions: ["@earmark/source"],
    external: ["effect", "pg", "@electric-sql/pglite", "fast-xml-parser"],
    // Some bundled packages are CommonJS and ask for Node's modules with require.
    banner: {
      js: 'import { createRequire as createRequireOfNode } from "node:module"; const require = createRequireOfNode(import.meta.url);',
    },
    logLevel: "error",
  }),
)

afterAll(() => {
  for (const holder of holders) holder.kill("SIGKILL")
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  rmSync(program, { force: true })
}, 60_000)

/** Another process with the store, as a service has it. */
const startHolder = (environment: Environment) =>
  new Promise<ChildProcess & { readonly errors: () => string }>((resolve, reject) => {
    const child = spawn(process.execPath, [program], {
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

const run = (environment: Environment, ...args: ReadonlyArray<string>): Promise<Ran> =>
  earmark(args, "", undefined, environment)

/** A verb that has to succeed, with its answer. */
const answerOf = async (environment: Environment, ...args: ReadonlyArray<string>) => {
  const ran = await run(environment, ...args, "--json")
  assert.strictEqual(ran.code, 0, ran.stderr)
  return JSON.parse(ran.stdout)
}

const refusal = async (
  environment: Environment,
  code: number,
  pattern: RegExp,
  ...args: ReadonlyArray<string>
) => {
  const ran = await run(environment, ...args)
  assert.strictEqual(ran.stdout, "")
  assert.match(ran.stderr, pattern)
  assert.match(ran.stderr, /^earmark: [^\n]+\n$/)
  assert.strictEqual(ran.code, code)
}

/** What holds over every store, and whoever has it. */
const accountsAndMoney = async (environment: Environment) => {
  const account = await answerOf(environment, "accounts", "create", "--email", "ann@example.org")
  assert.match(account.id, /^acct_/)
  assert.strictEqual(account.email, "ann@example.org")
  assert.strictEqual(account.name, "ann@example.org")
  const of = ["--account", account.id]

  const key = await answerOf(
    environment,
    "keys",
    "create",
    ...of,
    "--name",
    "backend",
    "--scopes",
    "webhooks,keys",
  )
  assert.match(key.id, /^key_/)
  assert.match(key.key, /^em_live_[0-9A-Za-z]{36}$/)
  assert.deepStrictEqual(key.scopes, ["webhooks", "keys"])
  const revoked = await answerOf(environment, "keys", "revoke", key.id, ...of)
  assert.isString(revoked.revoked_at)
  const keys = await answerOf(environment, "keys", "list", ...of)
  assert.deepStrictEqual(
    keys.data.map((one: { readonly id: string; readonly revoked_at: string }) => [one.id, one.revoked_at]),
    [[key.id, revoked.revoked_at]],
  )
  assert.notInclude(JSON.stringify(keys), key.key)

  const tooMany = await earmark(["credits", "grant", ...of, "--minutes=-1000"], "", undefined, environment)
  assert.strictEqual(tooMany.code, 1)
  assert.match(tooMany.stderr, /has 60 minutes that can be taken away, and 1000 were asked for\./)
  const noScope = await earmark(["keys", "create", ...of, "--scopes", "webhok"], "", undefined, environment)
  assert.strictEqual(noScope.code, 2)
  assert.match(noScope.stderr, /There is no scope "webhok"; there are transcriptions:read, /)

  const grant = ["credits", "grant", ...of, "--minutes", "100", "--purchase", "--reference", "order-1"]
  assert.strictEqual((await answerOf(environment, ...grant)).balance, 160)
  const again = await answerOf(environment, ...grant)
  assert.deepStrictEqual([again.balance, again.is_paid], [160, true])
  const entries = await answerOf(environment, "credits", "entries", ...of)
  assert.deepStrictEqual(
    entries.data.map((entry: { readonly kind: string; readonly amount: number }) => [
      entry.kind,
      entry.amount,
    ]),
    [
      ["purchase", 100],
      ["signup", 60],
    ],
  )
  assert.deepStrictEqual(await answerOf(environment, "credits", "verify"), {
    ok: true,
    total: 0,
    findings: [],
  })
  return account.id
}

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
    assert.isFalse(existsSync(empty.EARMARK_DATA_DIR))
  })

  it("works when no process has it, and waits for commands that do", { timeout: 180_000 }, async () => {
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
    assert.isFalse(existsSync(join(environment.EARMARK_DATA_DIR, "database.lock")))
    const { stdout } = await run(environment, "accounts", "show", made[0].id)
    assert.match(stdout, /^balance\s+60$/m)
  })

  it("goes through the process that has it, and on when that is killed", { timeout: 180_000 }, async () => {
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
    assert.isTrue(existsSync(join(folder, "database.lock")))
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
    assert.isFalse(existsSync(join(folder, "admin.sock")))
  })

  it("refuses in one sentence with a code", { timeout: 180_000 }, async () => {
    const { data } = await answerOf(environment, "accounts", "list", "--limit", "1")
    const of = ["--account", data[0].id]
    await refusal(
      environment,
      2,
      /a name or an email address is needed.*\[invalid_request\]/,
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
    const mistyped = await run({ ...environment, EARMARK_WORKRES: "3" }, "accounts", "list")
    assert.strictEqual(mistyped.code, 0)
    assert.match(mistyped.stderr, /EARMARK_WORKRES .* Did you mean EARMARK_WORKERS\?/)
  })
})

describe.skipIf(postgresMissing !== null)("administration of a store on Postgres", () => {
  let server: PostgresServer | undefined
  const secretsKey = "kR0Ef3mQ0n0k2c8v7m8tq8Jx5o0m8m1dJ0b2Qe4r5sI="

  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server?.stop())

  const newEnvironment = async () => {
    if (server === undefined) throw new Error("there is no server")
    return {
      EARMARK_DATABASE_URL: await server.newDatabase(),
      EARMARK_SECRETS_KEY: secretsKey,
      EARMARK_DATA_DIR: join(newFolder(), "unused"),
    }
  }

  const sql = async (environment: Environment, text: string) => {
    const client = new Client({ connectionString: environment.EARMARK_DATABASE_URL })
    await client.connect()
    await client.query(text)
    await client.end()
  }

  it("works beside any number of processes, and touches no data folder", { timeout: 180_000 }, async () => {
    const environment = await newEnvironment()
    await accountsAndMoney(environment)
    assert.isFalse(existsSync(environment.EARMARK_DATA_DIR))
    await refusal(
      { ...environment, EARMARK_SECRETS_KEY: "" },
      1,
      /EARMARK_SECRETS_KEY must be set with EARMARK_DATABASE_URL/,
      "accounts",
      "list",
    )
  })

  it("migrates when it is told to", { timeout: 180_000 }, async () => {
    const environment = { ...(await newEnvironment()), EARMARK_MIGRATE: "off" }
    await refusal(environment, 1, /Run earmark migrate\. \[unavailable\]/, "accounts", "list")
    const { store, applied } = await answerOf(environment, "migrate")
    assert.strictEqual(store, "postgres")
    assert.isAtLeast(applied, 3)
    assert.strictEqual((await answerOf(environment, "migrate")).applied, 0)
    assert.deepStrictEqual((await answerOf(environment, "accounts", "list")).data, [])
  })

  it("finds what is wrong with a ledger", { timeout: 180_000 }, async () => {
    const environment = await newEnvironment()
    const { id } = await answerOf(environment, "accounts", "create", "--name", "Ann")
    await sql(environment, "UPDATE credit_balance SET posted = posted + 5")
    const human = await run(environment, "credits", "verify")
    assert.strictEqual(human.code, 1)
    assert.match(human.stdout, new RegExp(`posted_differs\\s+${id}\\s+60\\s+65`))
    assert.match(human.stderr, /^earmark: The ledger has 1 number [^\n]+\n$/)
    const { code, stdout } = await run(environment, "credits", "verify", "--json")
    assert.strictEqual(code, 1)
    assert.deepStrictEqual(JSON.parse(stdout), {
      ok: false,
      total: 1,
      findings: [{ kind: "posted_differs", subject: id, expected: 60, actual: 65 }],
    })
  })

  it("lists jobs that were set aside, and puts them back", { timeout: 180_000 }, async () => {
    const environment = await newEnvironment()
    const { id: account } = await answerOf(environment, "accounts", "create", "--name", "Ann")
    const service = await makeEarmark({
      store: Layer.merge(
        SqlStore.layerPostgres({ url: Redacted.make(environment.EARMARK_DATABASE_URL) }),
        ObjectStoreMemory.layer,
      ),
      surroundings: Scripted.layer(),
      secretsKey,
      work: false,
    })
    const { id } = await service.transcriptions.create(account, { url: "https://media.example/a.mp3" })
    await service.close()
    assert.deepStrictEqual(await answerOf(environment, "jobs", "dead"), { data: [], has_more: false })
    await sql(
      environment,
      "UPDATE queue SET state = 2, attempt = 3, last_error = 'The end cannot be written'",
    )
    assert.deepStrictEqual(await answerOf(environment, "jobs", "dead"), {
      data: [{ id, account, attempts: 3, reason: "The end cannot be written" }],
      has_more: false,
    })
    assert.match(
      (await run(environment, "jobs", "dead")).stdout,
      new RegExp(`${id} .* The end cannot be written`),
    )
    assert.deepStrictEqual(await answerOf(environment, "jobs", "dead", "--retry", id), { id, requeued: true })
    await refusal(environment, 1, /\[job_not_dead\]/, "jobs", "dead", "--retry", id)
  })
})
