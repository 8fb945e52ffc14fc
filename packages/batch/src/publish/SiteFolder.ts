/** The folder of a static site: what a run writes, leaves and takes away. Files of others are never touched. */
import { createHash } from "node:crypto"
import { existsSync, readFileSync } from "node:fs"
import { mkdir, readFile, rename, rm, rmdir, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { Option, Schema } from "effect"

/** The record of the files of a site, by their digests. */
const RECORD = ".earmark-site.json"

const Files = Schema.Record({ key: Schema.String, value: Schema.String })
const decode = Schema.decodeUnknownOption(
  Schema.parseJson(Schema.Struct({ version: Schema.Literal(1), files: Files })),
)

/** What this program writes into folders of its own, which nobody else has. */
const OWN_PLACE =
  /^(?:t\/tr_[0-9a-z]{26}\/(?:transcript\.(?:vtt|srt|json|html)|chapters\.json|lines\.json)|search\/(?:\d{1,2}|episodes)\.json)$/

/** Its files at the top, which somebody else may have too. */
const TOP_PLACE = /^(?:index\.html|feed\.xml|sitemap\.xml|(?:page|search)-[0-9a-f]{16}\.(?:css|js))$/

const isPlace = (name: string): boolean => OWN_PLACE.test(name) || TOP_PLACE.test(name)

const digestOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex").slice(0, 32)

/** A file that is there is not one of ours. */
export class ForeignFile extends Error {
  constructor(readonly path: string) {
    super(`${path} is not a file of this site`)
  }
}

export interface SiteCounts {
  readonly written: number
  readonly unchanged: number
  readonly removed: number
  readonly bytes: number
}

const recordIn = (folder: string): Readonly<Record<string, string>> => {
  try {
    const found = Option.getOrNull(decode(readFileSync(join(folder, RECORD), "utf8")))
    return Object.fromEntries(Object.entries(found?.files ?? {}).filter(([name]) => isPlace(name)))
  } catch {
    return {}
  }
}

/** Empty folders of what was taken away go too. */
const removeEmpty = async (folder: string): Promise<void> => {
  await rmdir(folder).catch(() => {})
}

export class SiteFolder {
  readonly #folder: string
  readonly #before: Readonly<Record<string, string>>
  readonly #now = new Map<string, string>()
  #written = 0
  #bytes = 0
  #drafts = 0

  constructor(folder: string) {
    this.#folder = folder
    this.#before = recordIn(folder)
  }

  /** Refuses a folder in which a file of somebody else has one of these names, before anything is written. */
  checkTop(names: ReadonlyArray<string>): void {
    for (const name of names) {
      if (this.#before[name] === undefined && existsSync(join(this.#folder, name)))
        throw new ForeignFile(join(this.#folder, name))
    }
  }

  async write(name: string, content: Iterable<string | Uint8Array>): Promise<void> {
    const bytes = Buffer.concat([...content].map((piece) => Buffer.from(piece)))
    const digest = digestOf(bytes)
    this.#now.set(name, digest)
    this.#bytes += bytes.length
    const path = join(this.#folder, name)
    if (this.#before[name] === digest && existsSync(path)) return
    // Of a run that was interrupted: the same bytes are the same file.
    const there = await readFile(path).catch(() => null)
    if (there !== null && digestOf(there) === digest) return
    if (there !== null && this.#before[name] === undefined && !OWN_PLACE.test(name))
      throw new ForeignFile(path)
    await mkdir(dirname(path), { recursive: true })
    await this.#replace(path, bytes)
    this.#written++
  }

  /** A reader of the site sees the old file or the new one. */
  async #replace(path: string, bytes: Uint8Array): Promise<void> {
    const draft = `${path}.${process.pid}-${this.#drafts++}.new`
    await writeFile(draft, bytes)
    await rename(draft, path)
  }

  /** Takes away what the site no longer has, and records what it has. */
  async finish(): Promise<SiteCounts> {
    const gone = Object.keys(this.#before).filter((name) => !this.#now.has(name))
    for (const name of gone) await rm(join(this.#folder, name), { force: true })
    for (const folder of new Set(gone.map((name) => dirname(join(this.#folder, name)))))
      if (folder !== this.#folder) await removeEmpty(folder)
    const files = Object.fromEntries([...this.#now].sort(([left], [right]) => (left < right ? -1 : 1)))
    const record = Buffer.from(`${JSON.stringify({ version: 1, files }, null, 1)}\n`)
    const path = join(this.#folder, RECORD)
    const known = await readFile(path).catch(() => null)
    if (known === null || !known.equals(record)) await this.#replace(path, record)
    return {
      written: this.#written,
      unchanged: this.#now.size - this.#written,
      removed: gone.length,
      bytes: this.#bytes,
    }
  }
}
