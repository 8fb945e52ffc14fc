import { execFileSync } from "node:child_process"
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync, gzipSync } from "node:zlib"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Client } from "pg"
import { because } from "../../servers/because.js"
import { type EarmarkServer, startEarmark } from "../../servers/earmarkServer.js"
import {
  type PostgresServer,
  postgresMissing,
  postgresProgram,
  startPostgres,
} from "../../servers/postgresServer.js"
import { databaseOn } from "../../servers/stores.js"
import { bin } from "../earmark.js"
import { JOBS } from "../http/asking.js"
import { clientOf, ffmpegMissing, startWeb, type Web } from "../http/world.js"
import { answerOf, type Environment, newFolder, refusal, removeFolders, run } from "./operator.js"

const TABLES = `SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace
  AND relname NOT IN ('earmark_migration', 'rate_bucket') ORDER BY 1`

/** What a database holds: of each table the number of its rows, and a sum over them. */
const contentOf = async (url: string | undefined) => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows: tables } = await client.query<{ readonly relname: string }>(TABLES)
    const content: Record<string, unknown> = {}
    for (const { relname } of tables) {
      const { rows } = await client.query(
        `SELECT count(*)::integer AS count, md5(string_agg(row, '' ORDER BY row)) AS sum
          FROM (SELECT row_to_json(each)::text AS row FROM ${relname} AS each) AS all_rows`,
      )
      content[relname] = rows[0]
    }
    return content
  } finally {
    await client.end()
  }
}

/** A job that is done, one that waits, an endpoint, a key: something in most tables. */
const fill = async (server: EarmarkServer, web: Web) => {
  const call = clientOf(server)
  await call("/api/v1/webhooks", { body: { url: `${web.base}/hook`, description: "“naïve”  \u2028 line" } })
  const { body: made } = await call(JOBS, {
    body: { url: `${web.base}/1.wav`, metadata: { large: "9007199254740993", odd: '\u2028 \\ "' } },
    headers: { "Idempotency-Key": "kept" },
  })
  const { body: done } = await call(`${JOBS}/${made.id}?wait=60`)
  assert.strictEqual(done.status, "done", JSON.stringify(done))
  return { id: String(made.id), text: String(done.text) }
}

afterAll(removeFolders)

describe.skipIf(ffmpegMissing !== null || postgresMissing !== null)(
  `backup and restore${because(ffmpegMissing, postgresMissing)}`,
  () => {
    let postgres: PostgresServer
    let web: Web

    beforeAll(async () => {
      postgres = await startPostgres()
      web = await startWeb()
    }, 60_000)
    afterAll(async () => {
      web?.stop()
      await postgres?.stop()
    })

    const environmentOf = async (): Promise<Environment> => ({
      ...(await databaseOn(postgres)),
      EARMARK_DATA_DIR: newFolder(),
    })

    it("a store on Postgres is in the file as it was at one moment, and comes back the same", async () => {
      const folder = newFolder()
      const file = join(folder, "a.backup")
      const store = { ...(await databaseOn(postgres)), EARMARK_DATA_DIR: newFolder() }
      const server = await startEarmark(store)
      const { id, text } = await fill(server, web)
      const made = await answerOf(store, "backup", file)
      assert.deepInclude(made, { file, store: "postgres" })
      assert.deepInclude(made.rows, { account: 1, job: 1, transcript: 1, webhook_endpoint: 1 })
      assert.strictEqual(statSync(file).mode & 0o777, 0o600)
      assert.isFalse(existsSync(`${file}.part`))
      await server.stop()
      const before = await contentOf(store.EARMARK_DATABASE_URL)
      const last = join(folder, "b.backup")
      await answerOf(store, "backup", last)

      const target = { ...store, EARMARK_DATABASE_URL: await postgres.newDatabase() }
      const restored = await answerOf(target, "restore", last)
      assert.deepInclude(restored, {
        store: "postgres",
        credits_agree: true,
        secrets_key: { in_place: true, file: null },
      })
      assert.deepStrictEqual(await contentOf(target.EARMARK_DATABASE_URL), before)
      const again = await startEarmark(target)
      const { body } = await clientOf(again)(`${JOBS}/${id}`)
      assert.deepInclude(body, { id, text, status: "done" })
      await again.stop()
    }, 180_000)

    it("goes from a folder, beside the service that uses it, to a server and back", async () => {
      const data = newFolder()
      const file = join(newFolder(), "folder.backup")
      const server = await startEarmark({ EARMARK_DATA_DIR: data })
      const { id, text } = await fill(server, web)
      const taken = await answerOf(server.environment, "backup", file)
      assert.strictEqual(taken.store, "embedded")
      await refusal(server.environment, 2, /The store has accounts or jobs already, /, "restore", file)
      const piped = join(newFolder(), "piped.backup")
      const piping = `"${process.execPath}" "${bin}" backup - | cat > "${piped}"`
      execFileSync("bash", ["-o", "pipefail", "-c", piping], {
        env: { ...process.env, ...server.environment },
        stdio: "ignore",
      })
      await refusal(server.environment, 2, /--json would print among the backup/, "backup", "-", "--json")
      await refusal(server.environment, 2, /it cannot be piped in/, "restore", "-")
      const { body: still } = await clientOf(server)(`${JOBS}/${id}`)
      assert.deepInclude(still, { id, text })
      await server.stop()

      const key = readFileSync(join(data, "secrets-key"), "utf8").trim()
      const onServer = { ...(await environmentOf()), EARMARK_SECRETS_KEY: key }
      assert.deepStrictEqual((await answerOf(onServer, "restore", piped)).rows, taken.rows)
      const back = join(newFolder(), "server.backup")
      assert.deepStrictEqual((await answerOf(onServer, "backup", back)).rows, taken.rows)
      const elsewhere = join(newFolder(), "elsewhere")
      const keyFile = join(elsewhere, "secrets-key")
      assert.deepInclude(await answerOf({ EARMARK_DATA_DIR: elsewhere }, "restore", back), {
        rows: taken.rows,
        credits_agree: true,
        secrets_key: { in_place: false, file: keyFile },
      })
      const third = join(newFolder(), "third")
      const told = await run({ EARMARK_DATA_DIR: third }, "restore", back)
      assert.include(
        told.stderr,
        `Every balance, hold and entry agrees. Now put the secrets key of the store in ${join(third, "secrets-key")}, or set EARMARK_SECRETS_KEY to it: it is not in a backup.\n`,
      )
      const withKey = { EARMARK_DATA_DIR: join(newFolder(), "fourth"), EARMARK_SECRETS_KEY: key }
      const ready = await run(withKey, "restore", back)
      assert.match(ready.stderr, /Every balance, hold and entry agrees\.\n$/)
      writeFileSync(keyFile, `${key}\n`, { mode: 0o600 })
      const last = await answerOf({ EARMARK_DATA_DIR: elsewhere }, "accounts", "list")
      assert.lengthOf(last.data, 1)
      assert.match(id, /^tr_/)
      assert.isNotEmpty(text)
    }, 180_000)

    it("what is no backup, not a whole one, or has no room, changes nothing", async () => {
      const source = await environmentOf()
      await answerOf(source, "accounts", "create", "--email", "ann@example.org")
      const folder = newFolder()
      const file = join(folder, "a.backup")
      await answerOf(source, "backup", file)
      await refusal(source, 2, /exists already\. Choose another name, or remove it\./, "backup", file)
      await refusal(
        source,
        2,
        /The store has accounts or jobs already, .*\[invalid_request\]/,
        "restore",
        file,
      )

      const target = await environmentOf()
      const lines = gunzipSync(readFileSync(file)).toString("utf8").trimEnd().split("\n")
      const put = (name: string, bytes: Uint8Array) => {
        const path = join(folder, name)
        writeFileSync(path, bytes)
        return path
      }
      const packed = (text: string) => gzipSync(text)
      const whole = readFileSync(file)
      const broken = {
        "There is no file": join(folder, "missing"),
        "is not a backup of Earmark": put("text", Buffer.from("SELECT 1;\n")),
        "The file is not a backup": put("other", packed("{}\n")),
        "made by a newer version": put(
          "newer",
          packed([lines[0]?.replace(/"migration":\d+/, '"migration":999'), ...lines.slice(1)].join("\n")),
        ),
        "The backup is damaged or not whole": put("cut", packed(lines.slice(0, -1).join("\n"))),
        "damaged or not whole: its end": put("torn", whole.subarray(0, whole.length - 20)),
        "or a part of it is not as it was written": put(
          "less",
          packed(lines.filter((line) => !line.includes("ann@example.org")).join("\n")),
        ),
      }
      const fresh = join(folder, "fresh")
      for (const sentence of [
        "There is no file",
        "is not a backup of Earmark",
        "The file is not a backup",
        "damaged or not whole: its end",
      ] as const) {
        await refusal({ EARMARK_DATA_DIR: fresh }, 2, new RegExp(sentence), "restore", broken[sentence])
        assert.isFalse(existsSync(fresh), sentence)
      }
      for (const [sentence, path] of Object.entries(broken)) {
        await refusal(target, 2, new RegExp(sentence), "restore", path)
      }
      assert.deepInclude(await answerOf(target, "restore", file), {
        credits_agree: true,
        secrets_key: { in_place: false, file: null },
      })
      const unwritable = join(folder, "no", "such", "folder")
      assert.match((await run(source, "backup", unwritable)).stderr, /cannot be written/)
    }, 180_000)

    it("a dump of the role that owns the tables holds every row, as the guide says", async () => {
      const server = await startEarmark(await databaseOn(postgres))
      await fill(server, web)
      await server.stop()
      const url = server.environment.EARMARK_DATABASE_URL ?? ""
      const dump = execFileSync(postgresProgram("pg_dump"), ["--enable-row-security", url], {
        maxBuffer: 1 << 28,
      })
      const target = await environmentOf()
      execFileSync(
        postgresProgram("psql"),
        ["-q", "-v", "ON_ERROR_STOP=1", target.EARMARK_DATABASE_URL ?? ""],
        {
          input: dump,
          stdio: ["pipe", "ignore", "pipe"],
        },
      )
      assert.deepStrictEqual(await contentOf(target.EARMARK_DATABASE_URL), await contentOf(url))
    }, 120_000)
  },
)
