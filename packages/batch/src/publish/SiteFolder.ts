/** The folder of a static site: what a run writes, leaves and takes away. Files of others are never touched. */
import { createHash } from "node:crypto"
import { existsSync, readFileSync, statSync } from "node:fs"
import { readFile, rename, rm, rmdir, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { PublishedFormat } from "@earmark/core/wire"
import { Option, Schema } from "effect"
import { makeFolders } from "../results/makeFolders.js"

/** The record of a site: its files by their digests, and its episodes. */
const RECORD = ".earmark-site.json"

const { NullOr, String: Text, Finite } = Schema

/** An episode as it was written, and the digest of everything that it was written from. */
const Written = Schema.Struct({
  digest: Text,
  episode: Schema.Struct({
    id: Text,
    title: Text,
    guid: NullOr(Text),
    publishedAt: Finite,
    durationSeconds: Finite,
    language: NullOr(Text),
    summary: NullOr(Text),
    mediaUrl: NullOr(Text),
    formats: Schema.Array(PublishedFormat),
  }),
})
type Written = typeof Written.Type

const SiteRecord = Schema.Struct({
  version: Schema.Literal(1),
  files: Schema.Record({ key: Text, value: Text }),
  episodes: Schema.Array(Written),
})

const decode = Schema.decodeUnknownOption(Schema.parseJson(SiteRecord))

/** What this program writes into folders of its own, which nobody else has. */
const OWN_PLACE =
  /^(?:t\/tr_[0-9a-z]{26}\/(?:transcript\.(?:vtt|srt|json|html)|chapters\.json|lines\.json)|search\/(?:\d{1,2}|episodes)\.json)$/

/** Its files at the top, which somebody else may have too. */
const TOP_PLACE = /^(?:index\.html|feed\.xml|sitemap\.xml|(?:page|search)-[0-9a-f]{16}\.(?:css|js))$/

const isPlace = (name: string): boolean => OWN_PLACE.test(name) || TOP_PLACE.test(name)

export const digestOf = (content: Uint8Array | string): string =>
  createHash("sha256").update(content).digest("hex").slice(0, 32)

/** A file that is there is not one of ours. */
export class ForeignFile extends Error {
  constructor(readonly path: string) {
    super(`${path} is not a file of this site`)
  }
}

/** A file of ours that somebody has changed since. */
export class ChangedFile extends Error {
  constructor(readonly path: string) {
    super(`${path} was changed since it was written`)
  }
}

export interface SiteCounts {
  readonly written: number
  readonly unchanged: number
  readonly removed: number
  readonly bytes: number
}

const nothing: Omit<typeof SiteRecord.Type, "version"> = { files: {}, episodes: [] }

/** What an earlier run has recorded; names that are none of ours are not believed. */
const recordIn = (folder: string): typeof nothing => {
  try {
    const text = readFileSync(join(folder, RECORD), "utf8")
    const found = Option.getOrElse(decode(text), () => nothing)
    const files = Object.entries(found.files).filter(([name]) => isPlace(name))
    return { files: Object.fromEntries(files), episodes: found.episodes }
  } catch {
    return nothing
  }
}

export class SiteFolder {
  readonly #folder: string
  readonly #before: Readonly<Record<string, string>>
  readonly #known: ReadonlyMap<string, Written>
  readonly #now = new Map<string, string>()
  readonly #episodes: Array<Written> = []
  #written = 0
  #bytes = 0
  #drafts = 0

  constructor(folder: string) {
    this.#folder = folder
    const { files, episodes } = recordIn(folder)
    this.#before = files
    this.#known = new Map(episodes.map((each) => [each.episode.id, each]))
  }

  /** Whether an earlier run has written a site here. */
  get hasSite(): boolean {
    return Object.keys(this.#before).length > 0
  }

  /** Refuses a folder in which a file of somebody else has one of these names, or one was changed, before anything is written. */
  checkTop(names: ReadonlyArray<string>): void {
    for (const name of names) {
      const path = join(this.#folder, name)
      const written = this.#before[name]
      // Of a run that was interrupted nobody knows what it has written.
      if (written === "" || !existsSync(path)) continue
      if (written === undefined) throw new ForeignFile(path)
      if (digestOf(readFileSync(path)) !== written) throw new ChangedFile(path)
    }
  }

  /** An episode as an earlier run has written it from the same, when its files are all there. They stay then. */
  kept(
    id: string,
    digest: string,
    filesOf: (episode: Written["episode"]) => ReadonlyArray<string>,
  ): Written | null {
    const known = this.#known.get(id)
    if (known?.digest !== digest) return null
    const found = new Map<string, number>()
    const names = filesOf(known.episode)
    for (const name of names) {
      const size = statSync(join(this.#folder, name), { throwIfNoEntry: false })?.size
      if (this.#before[name] !== undefined && size !== undefined) found.set(name, size)
    }
    if (found.size < names.length) return null
    for (const [name, size] of found) {
      this.#now.set(name, this.#before[name] ?? "")
      this.#bytes += size
    }
    return known
  }

  /** Remembers what an episode was written from. */
  record(written: Written): void {
    this.#episodes.push(written)
  }

  read(name: string): Promise<string> {
    return readFile(join(this.#folder, name), "utf8")
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
    await makeFolders(dirname(path))
    // Or a run that is interrupted here would leave a page that somebody seems to have changed.
    if (TOP_PLACE.test(name) && this.#before[name] !== undefined)
      await this.#keepRecord({ ...this.#before, ...Object.fromEntries(this.#now), [name]: "" })
    await this.#replace(path, bytes)
    this.#written++
  }

  /** A reader of the site sees the old file or the new one. */
  async #replace(path: string, bytes: Uint8Array): Promise<void> {
    const draft = `${path}.${process.pid}-${this.#drafts++}.new`
    await writeFile(draft, bytes)
    await rename(draft, path)
  }

  /** Records files before they are written: one that an interrupted run has left is one of ours. */
  async announce(names: ReadonlyArray<string>): Promise<void> {
    const files = Object.fromEntries(names.map((name) => [name, this.#before[name] ?? ""]))
    await makeFolders(this.#folder)
    await this.#keepRecord({ ...files, ...this.#before, ...Object.fromEntries(this.#now) })
  }

  async #keepRecord(files: Readonly<Record<string, string>>): Promise<void> {
    const sorted = Object.fromEntries(
      Object.entries(files).sort(([left], [right]) => (left < right ? -1 : 1)),
    )
    const record = Buffer.from(
      `${JSON.stringify({ version: 1, files: sorted, episodes: this.#episodes }, null, 1)}\n`,
    )
    const path = join(this.#folder, RECORD)
    const known = await readFile(path).catch(() => null)
    if (known === null || !known.equals(record)) await this.#replace(path, record)
  }

  /** Takes away what the site no longer has, with folders that are empty then, and records what it has. */
  async finish(): Promise<SiteCounts> {
    const gone = Object.keys(this.#before).filter((name) => !this.#now.has(name))
    for (const name of gone) await rm(join(this.#folder, name), { force: true })
    for (const folder of new Set(gone.map((name) => dirname(join(this.#folder, name)))))
      if (folder !== join(this.#folder)) await rmdir(folder).catch(() => {})
    await this.#keepRecord(Object.fromEntries(this.#now))
    return {
      written: this.#written,
      unchanged: this.#now.size - this.#written,
      removed: gone.length,
      bytes: this.#bytes,
    }
  }
}
