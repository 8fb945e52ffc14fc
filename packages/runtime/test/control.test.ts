import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { connect, createServer } from "node:net"
import { join } from "node:path"
import {
  Administration,
  Earmark,
  operations,
  PaymentsManual,
  Secrets,
  ServiceConfig,
  StoreMemory,
} from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Scope } from "effect"
import { callControl } from "../src/control/controlClient.js"
import { serveControl } from "../src/control/serveControl.js"
import { temporaryFolder } from "./folders.js"

const administration = Earmark.administration.pipe(
  Layer.provide(
    Layer.mergeAll(StoreMemory.layer, PaymentsManual.layer, ServiceConfig.layer(), Secrets.layerEphemeral),
  ),
)

const served = Effect.gen(function* () {
  const folder = yield* temporaryFolder
  yield* serveControl(folder)
  return folder
})

/** What a client gets for its bytes, until it has so many lines or the other side is done. */
const exchange = (folder: string, bytes: string | Uint8Array, lines: number) =>
  Effect.async<ReadonlyArray<string>>((resume) => {
    const socket = connect(join(folder, "admin.sock"))
    let text = ""
    const done = () => {
      resume(Effect.succeed(text.split("\n").filter((line) => line !== "")))
      socket.destroy()
    }
    socket.setEncoding("utf8").on("data", (part: string) => {
      text += part
      if (text.split("\n").length > lines) done()
    })
    socket.on("error", () => undefined).on("close", done)
    socket.write(bytes)
  })

const called = (folder: string) =>
  Effect.flatMap(callControl(folder), (found) =>
    found === null ? Effect.dieMessage("nobody listens") : Effect.succeed(found),
  )

const createAccount = (name: string) => JSON.stringify({ operation: "accounts.create", request: { name } })

describe("the control socket", () => {
  it.scopedLive("answers what the administration answers, typed", () =>
    Effect.gen(function* () {
      const folder = yield* served
      const ask = Effect.provideService(Administration, yield* called(folder))
      const account = yield* ask(
        Administration.ask(operations.createAccount, { name: "Ann", email: "ann@example.org" }),
      )
      const shown = yield* ask(Administration.ask(operations.showAccount, { account: account.id }))
      assert.strictEqual(shown.email, "ann@example.org")
      assert.strictEqual(shown.credits.balance, 60)
      const missing = yield* Effect.flip(
        ask(Administration.ask(operations.showAccount, { account: "acct_x" })),
      )
      assert.strictEqual(missing.code, "account_not_found")
      assert.match(missing.message, /acct_x/)
    }).pipe(Effect.provide(administration)),
  )

  it.scopedLive("is for its owner alone, and gone with its server", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const scope = yield* Scope.make()
      yield* Scope.extend(serveControl(folder), scope)
      const found = statSync(join(folder, "admin.sock"))
      assert.isTrue(found.isSocket())
      assert.strictEqual(found.mode & 0o777, 0o600)
      yield* Scope.close(scope, yield* Effect.exit(Effect.void))
      assert.isFalse(existsSync(join(folder, "admin.sock")))
      assert.isNull(yield* callControl(folder))
    }).pipe(Effect.provide(administration)),
  )

  it.scopedLive("serves many clients at once, each with its own answers in order", () =>
    Effect.gen(function* () {
      const folder = yield* served
      const answers = yield* Effect.forEach(
        Array.from({ length: 40 }, (_, index) => index),
        (index) => exchange(folder, `${createAccount(`a${index}`)}\n${createAccount(`b${index}`)}\n`, 2),
        { concurrency: "unbounded" },
      )
      answers.forEach((lines, index) => {
        const names = lines.map((line) => JSON.parse(line).answer.name)
        assert.deepStrictEqual(names, [`a${index}`, `b${index}`])
      })
    }).pipe(Effect.provide(administration)),
  )

  it.scopedLive("is not upset by lines that are no requests", () =>
    Effect.gen(function* () {
      const folder = yield* served
      const garbage = [
        "hello",
        "{}",
        "[1,2]",
        "null",
        '{"operation":1}',
        '{"operation":"accounts.create"}',
        "\u0000\u0001",
        "{".repeat(5000),
      ]
      const lines = yield* exchange(
        folder,
        `${garbage.join("\n")}\n\n${createAccount("after")}\n`,
        garbage.length + 1,
      )
      assert.strictEqual(lines.length, garbage.length + 1)
      for (const line of lines.slice(0, -1))
        assert.strictEqual(JSON.parse(line).error.code, "invalid_request", line)
      assert.strictEqual(JSON.parse(lines.at(-1) ?? "").answer.name, "after")
      const [unknown = ""] = yield* exchange(folder, '{"operation":"accounts.drop","request":{}}\n', 1)
      assert.strictEqual(JSON.parse(unknown).error.code, "unknown_operation")
      const [invalid = ""] = yield* exchange(folder, Buffer.from([0xff, 0xfe, 10]), 1)
      assert.strictEqual(JSON.parse(invalid).error.code, "invalid_request")
    }).pipe(Effect.provide(administration)),
  )

  it.scopedLive("refuses a line without end, and goes on", () =>
    Effect.gen(function* () {
      const folder = yield* served
      const lines = yield* exchange(folder, Buffer.alloc(3 * 1024 * 1024, "a"), 1)
      assert.strictEqual(lines.length, 1)
      assert.match(JSON.parse(lines[0] ?? "").error.message, /longer than 1048576 bytes/)
      const [next = ""] = yield* exchange(folder, `${createAccount("after")}\n`, 1)
      assert.strictEqual(JSON.parse(next).answer.name, "after")
    }).pipe(Effect.provide(administration)),
  )

  it.scopedLive("brings to its end what a client asked that is gone", () =>
    Effect.gen(function* () {
      const folder = yield* served
      for (let index = 0; index < 20; index++) {
        yield* Effect.async<void>((resume) => {
          const socket = connect(join(folder, "admin.sock"))
          socket.on("error", () => undefined)
          socket.write(`${createAccount(`gone ${index}`)}\n`, () => {
            if (index % 2 === 0) socket.end()
            else socket.destroy()
            resume(Effect.void)
          })
        })
      }
      const ask = Effect.provideService(Administration, yield* called(folder))
      const known = ask(Administration.ask(operations.listAccounts, { limit: "100" }))
      const all = yield* Effect.repeat(known, { until: ({ data }) => data.length >= 10 })
      assert.isAtLeast(all.data.length, 10)
    }).pipe(Effect.provide(administration)),
  )

  it.scopedLive("answers what it has begun before it goes", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const scope = yield* Scope.make()
      const slow = Administration.of({ ask: () => Effect.as(Effect.sleep("300 millis"), "done") })
      yield* Scope.extend(Effect.provideService(serveControl(folder), Administration, slow), scope)
      const client = yield* called(folder)
      const asked = yield* Effect.fork(client.ask("anything", {}))
      yield* Effect.sleep("100 millis")
      yield* Scope.close(scope, yield* Effect.exit(Effect.void))
      assert.strictEqual(yield* Fiber.join(asked), "done")
    }),
  )

  it.scopedLive("takes the place of a socket that a dead process left", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      writeFileSync(join(folder, "admin.sock"), "")
      assert.isNull(yield* callControl(folder))
      yield* serveControl(folder)
      assert.strictEqual((yield* exchange(folder, `${createAccount("Ann")}\n`, 1)).length, 1)
    }).pipe(Effect.provide(administration)),
  )

  it.scopedLive("is found in a folder whose path is too long for a socket", () =>
    Effect.gen(function* () {
      const folder = join(yield* temporaryFolder, "long".repeat(40))
      mkdirSync(folder)
      // Left by a process that was killed: it leads nowhere.
      symlinkSync("/nowhere/admin.sock", join(folder, "admin.sock"))
      assert.isNull(yield* callControl(folder))
      const scope = yield* Scope.make()
      yield* Scope.extend(serveControl(folder), scope)
      assert.isTrue(lstatSync(join(folder, "admin.sock")).isSymbolicLink())
      const place = readlinkSync(join(folder, "admin.sock"))
      assert.strictEqual(statSync(place).mode & 0o777, 0o600)
      assert.strictEqual(statSync(join(place, "..")).mode & 0o777, 0o700)
      const { ask } = yield* called(folder)
      yield* ask("accounts.create", { name: "Ann" })
      yield* Scope.close(scope, yield* Effect.exit(Effect.void))
      assert.isFalse(existsSync(place))
      assert.isNull(yield* callControl(folder))
    }).pipe(Effect.provide(administration)),
  )

  /** A link that outlived its folder, in whose place another user has put one that listens. */
  const impostor = (mode: number, uid: number | undefined) =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const theirs = yield* temporaryFolder
      const received: Array<Buffer> = []
      const server = createServer((socket) => socket.on("data", (bytes) => received.push(bytes)))
      yield* Effect.acquireRelease(
        Effect.promise(
          () => new Promise<void>((resolve) => server.listen(join(theirs, "admin.sock"), resolve)),
        ),
        () => Effect.sync(() => server.close()),
      )
      symlinkSync(join(theirs, "admin.sock"), join(folder, "admin.sock"))
      if (uid !== undefined) chownSync(theirs, uid, uid)
      chmodSync(theirs, mode)
      assert.isNull(yield* callControl(folder))
      assert.deepStrictEqual(received, [])
    })

  it.scopedLive("is not looked for where others may put theirs", () => impostor(0o755, undefined))

  it.scopedLive("is not looked for in a folder of another user", () =>
    process.getuid?.() === 0 ? impostor(0o700, 12_345) : Effect.void,
  )

  it.scopedLive("is not looked for behind a second link", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const theirs = yield* served
      symlinkSync(theirs, join(folder, "between"))
      symlinkSync(join(folder, "between", "admin.sock"), join(folder, "admin.sock"))
      assert.isNull(yield* callControl(folder))
    }).pipe(Effect.provide(administration)),
  )

  it.scopedLive("tells a client when the other side goes away without an answer", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const server = createServer((socket) => socket.once("data", () => socket.destroy()))
      yield* Effect.acquireRelease(
        Effect.promise(
          () => new Promise<void>((resolve) => server.listen(join(folder, "admin.sock"), resolve)),
        ),
        () => Effect.sync(() => server.close()),
      )
      const { ask } = yield* called(folder)
      const lost = yield* Effect.flip(ask("accounts.create", { name: "Ann" }))
      assert.strictEqual(lost.code, "outcome_unknown")
      const again = yield* Effect.flip(ask("accounts.create", { name: "Ann" }))
      assert.strictEqual(again.code, "outcome_unknown")
    }),
  )

  it.scopedLive("says so when a file that is there may not be used", () =>
    Effect.gen(function* () {
      if (process.getuid?.() === 0) return
      const folder = yield* served
      chmodSync(join(folder, "admin.sock"), 0)
      const refused = yield* Effect.flip(callControl(folder))
      assert.strictEqual(refused.code, "not_permitted")
    }).pipe(Effect.provide(administration)),
  )
})
