import { existsSync } from "node:fs"
import { join } from "node:path"
import { makeEarmark, ObjectStoreMemory, Scripted } from "@earmark/service"
import { SqlStore } from "@earmark/sql"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Layer, Redacted } from "effect"
import { Client } from "pg"
import { because } from "../../servers/because.js"
import { type PostgresServer, postgresMissing, startPostgres } from "../../servers/postgresServer.js"
import {
  accountsAndMoney,
  answerOf,
  type Environment,
  newFolder,
  refusal,
  removeFolders,
  run,
} from "./operator.js"

afterAll(removeFolders)

const title = `administration of a store on Postgres${because(postgresMissing)}`

describe.skipIf(postgresMissing !== null)(title, () => {
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
