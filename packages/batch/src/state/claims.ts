/** What is being made right now, and by whom: so that two runs at once do not make the same result. */
import { randomUUID } from "node:crypto"
import { rmSync } from "node:fs"
import { link, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises"
import { hostname } from "node:os"
import { join, resolve } from "node:path"
import { FoundOnce } from "@earmark/service"
import { Clock, Effect, Option, Schema } from "effect"
import { makeFolders } from "../results/makeFolders.js"
import { isStream } from "./fileStates.js"
import { isAlive, startOf } from "./processes.js"
import { hashOf } from "./stateFiles.js"

const Claim = Schema.Struct({
  pid: Schema.Int,
  /** When that process started: another one may have its number later. */
  started: Schema.NullOr(Schema.String),
  host: Schema.String,
  /** What the result is made of. */
  source: Schema.String,
})
type Claim = typeof Claim.Type

const decode = Schema.decodeUnknownOption(Schema.parseJson(Claim))

const own = { pid: process.pid, started: startOf(process.pid), host: hostname() }

const isOwn = ({ pid, started, host }: Claim): boolean =>
  pid === own.pid && started === own.started && host === own.host

/** A process of another machine cannot be asked: its claims are for runs of that machine. */
const isHeld = ({ pid, started, host }: Claim): boolean =>
  host === own.host && isAlive(pid) && startOf(pid) === started

const textOf = (file: string): Promise<string | null> => readFile(file, "utf8").catch(() => null)

/** The claim of another run that lives. */
const holderIn = (text: string | null): Claim | null => {
  const claim = text === null ? null : Option.getOrNull(decode(text))
  return claim !== null && !isOwn(claim) && isHeld(claim) ? claim : null
}

/** The file is there whole or not at all, and only if there was none. */
const create = async (file: string, text: string): Promise<boolean> => {
  const draft = `${file}.${randomUUID()}`
  await writeFile(draft, text, { mode: 0o600, flag: "wx" })
  try {
    await link(draft, file)
    return true
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "EEXIST") return false
    throw cause
  } finally {
    await rm(draft, { force: true })
  }
}

/** Takes the claim of a dead run away. If a living one has replaced it in that moment, that one is put back. */
const clear = async (file: string, dead: string): Promise<void> => {
  const aside = `${file}.${randomUUID()}`
  await rename(file, aside)
  if ((await textOf(aside)) !== dead) await link(aside, file)
  await rm(aside, { force: true })
}

const MOST_TRIES = 20

/** Who else makes it; null: now this run does. */
const take = async (file: string, source: string): Promise<Claim | null> => {
  const text = JSON.stringify({ ...own, source })
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    if (await create(file, text)) return null
    const before = await textOf(file)
    const holder = holderIn(before)
    if (holder !== null) return holder
    if (before === text) return null
    // Whoever was quicker: the next look finds it.
    if (before !== null) await clear(file, before).catch(() => {})
  }
  return null
}

/** One that stays is void when this process has ended. */
const remove = (file: string): void => {
  try {
    rmSync(file, { force: true })
  } catch {}
}

/** What was left behind for so long is swept away. */
const FORGOTTEN = 7 * 86_400_000

const sweep = async (folder: string, now: number): Promise<void> => {
  for (const name of await readdir(folder)) {
    const file = join(folder, name)
    const isOld = now - (await stat(file)).mtimeMs > FORGOTTEN
    if (isOld && holderIn(await textOf(file)) === null) await rm(file, { force: true })
  }
}

/** The claims of a run, in a folder that all runs of this user know. */
export const makeClaims = (folder: string) => {
  /** How often each is held in this run: the same source may be asked for twice. */
  const held = new Map<string, number>()

  const fileOf = (path: string) => join(folder, `${hashOf(resolve(path))}.json`)

  const giveBack = (files: ReadonlyArray<string>) =>
    Effect.sync(() => {
      for (const file of files) {
        const left = (held.get(file) ?? 1) - 1
        held.set(file, left)
        if (left === 0) remove(file)
      }
    })

  /** Where nothing can be kept, the work goes on without. */
  const takeOne = async (file: string, source: string): Promise<Claim | null> => {
    const holder = (held.get(file) ?? 0) > 0 ? null : await take(file, source).catch(() => null)
    if (holder === null) held.set(file, (held.get(file) ?? 0) + 1)
    return holder
  }

  const ready = FoundOnce.one(
    Effect.flatMap(Clock.currentTimeMillis, (now) =>
      Effect.promise(async () => {
        await makeFolders(folder, 0o700).catch(() => {})
        await sweep(folder, now).catch(() => {})
      }),
    ),
  ).pipe(Effect.runSync)

  const takeAll = async (files: ReadonlyArray<string>, source: string) => {
    const taken: Array<string> = []
    for (const file of files) {
      const holder = await takeOne(file, source)
      if (holder !== null) return { taken, pid: holder.pid }
      taken.push(file)
    }
    return { taken, pid: null }
  }

  /** Claims all results of a source until the scope ends, or none: then the answer is the process that makes one of them. */
  const claim = Effect.fnUntraced(function* (paths: ReadonlyArray<string>, source: string) {
    yield* ready
    // What is written into, and never replaced, is nobody's.
    const own = yield* Effect.filter(paths, isStream, { negate: true })
    // In the same order everywhere: two runs that want the same cannot each get a half.
    const files = own.map(fileOf).sort()
    const { taken, pid } = yield* Effect.acquireRelease(
      Effect.promise(() => takeAll(files, source)),
      ({ taken }) => giveBack(taken),
    )
    if (pid !== null) yield* giveBack(taken.splice(0))
    return pid
  })

  /** Another run that makes this result at the moment, and of what. */
  const holder = (path: string): Effect.Effect<{ readonly pid: number; readonly source: string } | null> =>
    Effect.map(
      Effect.promise(() => textOf(fileOf(path))),
      holderIn,
    )

  return { claim, holder }
}

export type Claims = ReturnType<typeof makeClaims>
