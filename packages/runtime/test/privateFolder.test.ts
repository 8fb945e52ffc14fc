import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { closeContents, openDataFolder } from "../src/parts/dataFolder.js"
import { closeAll, closeFolder, makePrivateFolder } from "../src/privateFolder.js"
import { isNewStore } from "../src/reachAdministration.js"
import { readSettings } from "../src/settings/Settings.js"
import { temporaryFolder } from "./folders.js"

const modeOf = (path: string) => statSync(path).mode & 0o777

const open = (path: string, mode: number) => {
  mkdirSync(path, { recursive: true })
  chmodSync(path, mode)
}

describe("folders for their owner alone", () => {
  it.scoped("are made closed, whatever the umask", () =>
    Effect.gen(function* () {
      const folder = join(yield* temporaryFolder, "new", "data")
      const before = process.umask(0)
      yield* Effect.ensuring(
        openDataFolder(folder),
        Effect.sync(() => process.umask(before)),
      )
      assert.deepStrictEqual([modeOf(folder), modeOf(join(folder, ".."))], [0o700, 0o700])
    }),
  )

  it.scoped("that were open are closed, with what Earmark has in them and nothing else", () =>
    Effect.gen(function* () {
      const folder = join(yield* temporaryFolder, "data")
      for (const each of ["", "database/base", "objects/ab", "site"]) open(join(folder, each), 0o755)
      const files = ["secrets-key", "first-key", "database/base/1", "objects/ab/bytes", "site/page"]
      for (const name of files) {
        writeFileSync(join(folder, name), "x")
        chmodSync(join(folder, name), 0o666)
      }
      yield* openDataFolder(folder)
      assert.deepStrictEqual(
        ["", "database/base", "objects/ab", "site"].map((name) => modeOf(join(folder, name))),
        [0o700, 0o700, 0o700, 0o755],
      )
      assert.deepStrictEqual(
        files.map((name) => modeOf(join(folder, name))),
        [0o600, 0o600, 0o600, 0o600, 0o666],
      )
    }),
  )

  it.scoped("may be links to another disk, and links inside are not followed", () =>
    Effect.gen(function* () {
      const place = yield* temporaryFolder
      open(join(place, "disk"), 0o755)
      open(join(place, "fast"), 0o755)
      open(join(place, "elsewhere"), 0o755)
      symlinkSync(join(place, "disk"), join(place, "data"))
      symlinkSync(join(place, "fast"), join(place, "disk", "database"))
      symlinkSync(join(place, "elsewhere"), join(place, "fast", "link"))
      yield* openDataFolder(join(place, "data"))
      assert.deepStrictEqual(
        ["disk", "fast", "elsewhere"].map((name) => modeOf(join(place, name))),
        [0o700, 0o700, 0o755],
      )
    }),
  )

  it.scoped("of another user are refused in one sentence, by root too", () =>
    Effect.gen(function* () {
      const place = yield* temporaryFolder
      const isRoot = process.getuid?.() === 0
      const folder = isRoot ? join(place, "data") : "/usr"
      if (isRoot) {
        mkdirSync(folder)
        chownSync(folder, 12_345, 12_345)
      }
      const refused = yield* Effect.flip(openDataFolder(folder))
      assert.match(
        refused.message,
        /^The data folder \S+ cannot be used: it belongs to user \d+, and this process runs as user \d+\. Set EARMARK_DATA_DIR to a folder of your own\.$/,
      )
    }),
  )

  it.scoped("that one may not read hold a store all the same, and say whose user to run as", () =>
    Effect.gen(function* () {
      const place = yield* temporaryFolder
      const folder = join(place, "data")
      chmodSync(place, 0o755)
      open(join(folder, "postgres"), 0o700)
      const settings = yield* Effect.withConfigProvider(
        readSettings,
        ConfigProvider.fromMap(new Map([["EARMARK_DATA_DIR", folder]])),
      )
      assert.isFalse(yield* isNewStore(settings))
      chmodSync(folder, 0)
      // Root may read everything.
      const before = process.geteuid?.()
      yield* Effect.acquireRelease(
        Effect.sync(() => void (before === 0 && process.seteuid?.(65_534))),
        () =>
          Effect.sync(() => {
            if (before === 0) process.seteuid?.(before)
            chmodSync(folder, 0o700)
          }),
      )
      assert.isFalse(yield* isNewStore(settings))
      assert.strictEqual(
        (yield* Effect.flip(openDataFolder(folder))).message,
        `The data folder ${folder} cannot be used: you may not read it; run this as the user of the server that it belongs to. Set EARMARK_DATA_DIR to a folder of your own.`,
      )
    }),
  )

  it.scoped("that are linked into the data folder and belong to another user are refused", () =>
    Effect.gen(function* () {
      const place = yield* temporaryFolder
      symlinkSync(process.getuid?.() === 0 ? join(place, "theirs") : "/usr", join(place, "objects"))
      if (process.getuid?.() === 0) {
        mkdirSync(join(place, "theirs"))
        chownSync(join(place, "theirs"), 12_345, 12_345)
      }
      assert.match((yield* Effect.flip(closeContents(place))).message, /it belongs to user/)
    }),
  )

  it("on a file system that keeps no modes are refused", { skip: !existsSync("/proc/self/task") }, () => {
    // Its folders are ours and open to all, and stay so.
    assert.throws(
      () => closeFolder("/proc/self/task"),
      /others may read it \(mode 0555\), and its file system/,
    )
  })

  it.scoped("that all users share are refused, and so is the root of a file system", () =>
    Effect.gen(function* () {
      const shared = join(yield* temporaryFolder, "tmp")
      open(shared, 0o1777)
      assert.throws(() => makePrivateFolder(shared), /it is a folder that all users share/)
      assert.strictEqual(statSync(shared).mode & 0o7777, 0o1777)
      assert.throws(() => makePrivateFolder("/"), /it is the root of a file system/)
    }),
  )

  it("where nothing can be made are refused, and not tried for ever", {
    skip: !existsSync("/proc/self"),
  }, () => {
    assert.throws(() => makePrivateFolder("/proc/earmark/data"), /ENOENT/)
  })

  it.scoped("are left as they are where nothing is open", () =>
    Effect.gen(function* () {
      const folder = join(yield* temporaryFolder, "data")
      assert.isFalse(makePrivateFolder(folder))
      writeFileSync(join(folder, "secrets-key"), "x", { mode: 0o400 })
      closeAll(folder)
      assert.strictEqual(modeOf(join(folder, "secrets-key")), 0o400)
      assert.strictEqual(readFileSync(join(folder, "secrets-key"), "utf8"), "x")
    }),
  )
})
