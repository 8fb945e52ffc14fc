import { spawnSync } from "node:child_process"
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import { carryOver } from "../src/embedded/carryOver.js"
import * as Embedded from "../src/embedded/Embedded.js"
import { EmbeddedRefused } from "../src/embedded/EmbeddedRefused.js"
import { embeddedServer } from "../src/embedded/embeddedServer.js"
import { parsePidFile, parseStart } from "../src/embedded/pidFile.js"
import { findPrograms, runnablePrograms } from "../src/embedded/programs.js"
import { migrateClient } from "../src/migrations/migrate.js"
import * as Pglite from "../src/pglite/Pglite.js"
import { embeddedMissing, temporaryFolder } from "./backends.js"
import { everyProcess, leashesOf, serverOf } from "./kills/processes.js"

const TIME = 90_000

describe("what a server writes about itself", () => {
  const LINES = ["4711", "/data", "1763", "5432", "/tmp/earmark-1-a", "", " 123 456 ", "ready   "]

  it("is read", () => {
    const ready = { pid: 4711, isReady: true }
    assert.deepStrictEqual(parsePidFile(LINES.join("\n")), ready)
    assert.deepStrictEqual(parsePidFile([...LINES.slice(0, 7), "starting"].join("\n")), {
      ...ready,
      isReady: false,
    })
  })

  it("names no process when it is empty, cut or of something else", () => {
    for (const text of ["", "\n", "-1\n/data", "0", "x"]) assert.isNull(parsePidFile(text))
  })

  it("a process has a start, whatever its name is, and one that has ended has none", () => {
    const rest = (state: string) => `${state} ${Array.from({ length: 18 }, (_, at) => at).join(" ")} 987 5`
    assert.strictEqual(parseStart(`1 (a) b (c) ${rest("S")}`), "987")
    assert.isNull(parseStart(`1 (postgres) ${rest("Z")}`))
  })
})

const count = (directory: string) =>
  Embedded.withClient({ directory }, (client) =>
    Effect.promise(async () => {
      const { rows } = await client.query<{ readonly count: number }>(
        "SELECT count(*)::int AS count FROM kept",
      )
      return rows[0]?.count
    }),
  )

const write = (directory: string) =>
  Embedded.withClient({ directory }, (client) =>
    Effect.promise(() =>
      client.query("CREATE TABLE IF NOT EXISTS kept (id int); INSERT INTO kept VALUES (1)"),
    ),
  )

const isRoot = process.getuid?.() === 0

describe.skipIf(embeddedMissing !== null || !isRoot)(
  `the programs of Postgres${isRoot ? "" : " (only root starts them as another user)"}`,
  () => {
    it.scoped("are copied to where the user that runs them may read them, once", () =>
      Effect.gen(function* () {
        const programs = findPrograms() ?? ""
        const closed = yield* temporaryFolder
        chmodSync(closed, 0o700)
        const own = join(closed, "postgres", "native")
        cpSync(join(programs, ".."), join(own, ".."), { recursive: true })
        const nobody = { uid: 65_534, gid: 65_534 }
        assert.strictEqual(runnablePrograms(own, {}), own)
        assert.isNull(runnablePrograms(own, nobody, join(closed, "copies")))
        const open = yield* temporaryFolder
        chmodSync(open, 0o755)
        const copies = join(open, "copies")
        const copy = runnablePrograms(own, nobody, copies)
        assert.match(String(copy), /\/copies\/postgres-18\./)
        const made = statSync(join(copies, readdirSync(copies)[0] ?? "")).ino
        assert.strictEqual(runnablePrograms(own, nobody, copies), copy)
        assert.deepStrictEqual([readdirSync(copies).length, statSync(String(copy)).ino], [1, made])
      }),
    )
  },
)

describe.skipIf(embeddedMissing !== null)("the Postgres of a folder", () => {
  it.live(
    "is one for all who open it at once, and stops when the last of them leaves",
    () =>
      Effect.gen(function* () {
        const directory = join(yield* temporaryFolder, "postgres")
        for (const users of [6, 2]) {
          const scopes = yield* Effect.all(Array.from({ length: users }, () => Scope.make()))
          yield* Effect.all(
            scopes.map((scope) => Scope.extend(embeddedServer(directory), scope)),
            { concurrency: "unbounded" },
          )
          const server = serverOf(directory)
          assert.isAbove(server, 0)
          // The shell that is its parent, and the one that reads.
          assert.lengthOf(leashesOf(directory), 2)
          for (const [left, scope] of scopes.entries()) {
            assert.strictEqual(serverOf(directory), server, `${left} have left`)
            yield* Scope.close(scope, Exit.void)
          }
          assert.deepStrictEqual(everyProcess(directory), [])
        }
      }).pipe(Effect.scoped),
    TIME,
  )

  it.live(
    "is not taken for that of a copied folder, and goes along with a moved one",
    () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder
        const first = join(folder, "first")
        const copy = join(folder, "copy")
        yield* write(first)
        yield* Effect.scoped(
          Effect.gen(function* () {
            yield* embeddedServer(first)
            // With the file that names the server of the other one.
            cpSync(first, copy, { recursive: true })
            assert.isTrue(existsSync(join(copy, "data", "postmaster.pid")))
            spawnSync("chown", ["-R", "--reference", join(first, "data"), join(copy, "data")])
            assert.strictEqual(yield* count(copy), 1)
            assert.isAbove(serverOf(first), 0)
          }),
        )
        const moved = join(folder, "moved")
        renameSync(first, moved)
        assert.strictEqual(yield* count(moved), 1)
      }).pipe(Effect.scoped),
    TIME,
  )

  it.live(
    "is started in a folder whose file names a process that is another one by now",
    () =>
      Effect.gen(function* () {
        const directory = join(yield* temporaryFolder, "postgres")
        yield* write(directory)
        const file = join(directory, "data", "postmaster.pid")
        const lines = [process.pid, directory, 1, 5432, "/tmp/elsewhere", "", "1 1", "ready"]
        writeFileSync(file, `${lines.join("\n")}\n`)
        assert.strictEqual(yield* count(directory), 1)
      }).pipe(Effect.scoped),
    TIME,
  )

  it.live(
    "is refused in a folder of another version, without a change to it",
    () =>
      Effect.gen(function* () {
        const directory = join(yield* temporaryFolder, "postgres")
        mkdirSync(join(directory, "data"), { recursive: true })
        writeFileSync(join(directory, "data", "PG_VERSION"), "17\n")
        const refusal = yield* Effect.flip(count(directory))
        assert.instanceOf(refusal, EmbeddedRefused)
        assert.match(
          refusal.message,
          /^Cannot open the database in .+: it was made by another version of Postgres, .+ \(17\)\.$/,
        )
        assert.isFalse(existsSync(join(directory, "data", "base")))
      }).pipe(Effect.scoped),
    TIME,
  )

  it.live(
    "of another host is waited for, and opened when that is silent",
    () =>
      Effect.gen(function* () {
        const directory = join(yield* temporaryFolder, "postgres")
        yield* write(directory)
        const holder = join(directory, "holder")
        writeFileSync(holder, "elsewhere 1 pid:[1]")
        const isOpen = yield* Effect.raceFirst(
          Effect.as(count(directory), true),
          Effect.as(Effect.sleep("2 seconds"), false),
        )
        assert.isFalse(isOpen)
        assert.strictEqual(readFileSync(holder, "utf8"), "elsewhere 1 pid:[1]")
        utimesSync(holder, 1, 1)
        assert.strictEqual(yield* count(directory), 1)
        assert.isFalse(existsSync(holder))
      }).pipe(Effect.scoped),
    TIME,
  )
})

const addAccount = (id: string) =>
  `INSERT INTO account (id, name, limits, created_at) VALUES ('${id}', 'Ann', '{}', now())`

const accountsIn = (directory: string) =>
  Embedded.withClient({ directory }, (client) =>
    Effect.promise(async () => {
      const { rows } = await client.query<{ readonly id: string }>("SELECT id FROM account ORDER BY id")
      return rows.map(({ id }) => id)
    }),
  )

describe.skipIf(embeddedMissing !== null)("a database of WebAssembly", () => {
  it.live(
    "is copied once, also by two processes at the same moment, and kept under another name",
    () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder
        const from = join(folder, "database")
        const to = join(folder, "postgres")
        yield* Pglite.withClient({ directory: from }, (client) =>
          Effect.zipRight(
            migrateClient(client),
            Effect.promise(() => client.query(addAccount("acct_1"))),
          ),
        )
        const all = yield* Effect.all([carryOver({ from, to }), carryOver({ from, to })], {
          concurrency: "unbounded",
        })
        assert.sameMembers(all, [true, false])
        assert.deepStrictEqual(yield* accountsIn(to), ["acct_1"])
        assert.isFalse(existsSync(from))
        assert.isTrue(existsSync(`${from}-before-postgres`))

        // One that was copied, and not renamed before its process ended, is not copied twice.
        renameSync(`${from}-before-postgres`, from)
        yield* Embedded.withClient({ directory: to }, (client) =>
          Effect.promise(() => client.query(addAccount("acct_2"))),
        )
        assert.isTrue(yield* carryOver({ from, to }))
        assert.deepStrictEqual(yield* accountsIn(to), ["acct_1", "acct_2"])
        assert.isFalse(yield* carryOver({ from, to }))
      }).pipe(Effect.scoped),
    TIME,
  )
})
