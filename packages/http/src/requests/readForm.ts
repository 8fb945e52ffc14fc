import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises"
import type { IncomingMessage } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { uploadTooLarge } from "@earmark/service"
import { Effect, Stream } from "effect"
import { invalid, Refusal } from "../answers/Refusal.js"
import type { Failure } from "../answers/refusalOf.js"
import { headerOf } from "./Arrived.js"
import { boundaryOf, makeMultipart, type PartEvent, type PartHead } from "./multipart.js"
import { arriving } from "./readUpload.js"

/** The file of a form, on this machine's disk for as long as the scope lives. */
export interface FormFile {
  readonly path: string
  readonly bytes: number
  readonly filename: string | undefined
  readonly contentType: string | undefined
  /** Its first bytes. */
  readonly head: Uint8Array
}

export interface Form {
  /** The values of each field, in order. */
  readonly fields: ReadonlyMap<string, ReadonlyArray<string>>
  readonly file: FormFile | null
}

interface Expected {
  /** The field that is the file. */
  readonly fileField: string
  /** The largest file; null: any. */
  readonly mostBytes: number | null
}

const MOST_FIELDS = 100
/** Of all fields together: a prompt is the longest of them. */
const MOST_FIELD_BYTES = 256 * 1024
const HEAD_BYTES = 16

const notForm = (field: string) =>
  new Refusal({
    code: "unsupported_content_type",
    detail: `Send the body as multipart/form-data, with the recording in the field ${field}.`,
  })

const malformed = invalid("#", "The body is not valid multipart/form-data")

const cut = invalid("#", "The form ended before its last boundary")

const tooManyFields = invalid(
  "#",
  `A form has at most ${MOST_FIELDS} fields, of ${MOST_FIELD_BYTES} bytes together`,
)

const unwritable = (cause: unknown) =>
  new Refusal({
    code: "unavailable",
    detail: "The file could not be stored at the moment. Repeat the request in a second.",
    headers: { "Retry-After": "1" },
    cause,
  })

/** Its name says whose it is: the next start sweeps those of processes that were killed. */
const scratchFolder = Effect.acquireRelease(
  Effect.tryPromise({
    try: () => mkdtemp(join(tmpdir(), `earmark-${process.pid}-form-`)),
    catch: unwritable,
  }),
  (folder) =>
    Effect.tryPromise(() => rm(folder, { recursive: true, force: true, maxRetries: 3 })).pipe(
      Effect.catchAll((cause) => Effect.logWarning("A scratch folder could not be taken away", cause)),
    ),
)

const openFile = (path: string) =>
  Effect.acquireRelease(
    Effect.tryPromise({ try: () => open(path, "wx", 0o600), catch: unwritable }),
    (handle) => Effect.promise(() => handle.close()),
  )

/** Puts the parts of a form where they belong: the file on disk, everything else in memory. */
class Sorter {
  readonly fields = new Map<string, Array<string>>()
  file: PartHead | null = null
  bytes = 0
  head = Buffer.alloc(0)
  private current: PartHead | null = null
  private text: Array<Uint8Array> = []
  private fieldBytes = 0
  private count = 0

  constructor(
    private readonly expected: Expected,
    private readonly handle: FileHandle,
  ) {}

  async take(event: PartEvent): Promise<Failure | null> {
    if (event.type === "begin") return this.begin(event.head)
    if (event.type === "end") return this.end()
    return this.current !== null && this.current === this.file
      ? this.write(event.bytes)
      : this.gather(event.bytes)
  }

  private begin(head: PartHead): Failure | null {
    this.current = head
    this.text = []
    this.count += 1
    if (this.count > MOST_FIELDS) return tooManyFields
    if (head.name !== this.expected.fileField) return null
    if (this.file !== null) return invalid(`#/${head.name}`, "Send one file")
    this.file = head
    return null
  }

  private async write(bytes: Uint8Array): Promise<Failure | null> {
    const { mostBytes } = this.expected
    this.bytes += bytes.length
    if (mostBytes !== null && this.bytes > mostBytes) return uploadTooLarge(mostBytes)
    if (this.head.length < HEAD_BYTES) this.head = Buffer.concat([this.head, bytes]).subarray(0, HEAD_BYTES)
    await this.handle.appendFile(bytes)
    return null
  }

  private gather(bytes: Uint8Array): Failure | null {
    // Files that nobody asked for are let go of.
    if (this.current?.filename !== undefined) return null
    this.fieldBytes += bytes.length
    if (this.fieldBytes > MOST_FIELD_BYTES) return tooManyFields
    this.text.push(bytes)
    return null
  }

  private end(): Failure | null {
    const { current } = this
    if (current === null || current === this.file || current.filename !== undefined) return null
    const values = this.fields.get(current.name) ?? []
    this.fields.set(current.name, [...values, Buffer.concat(this.text).toString("utf8")])
    return null
  }
}

/** Reads a form with one file in it, as fast and as slowly as uploads may come. */
export const readForm = Effect.fnUntraced(function* (request: IncomingMessage, expected: Expected) {
  const boundary = boundaryOf(headerOf(request, "content-type"))
  if (boundary === null) return yield* notForm(expected.fileField)
  const { mostBytes } = expected
  const announced = Number(headerOf(request, "content-length") ?? 0)
  if (mostBytes !== null && announced > mostBytes + MOST_FIELD_BYTES) return yield* uploadTooLarge(mostBytes)
  const path = join(yield* scratchFolder, "file")
  const multipart = makeMultipart(boundary)
  const read = Effect.gen(function* () {
    const sorter = new Sorter(expected, yield* openFile(path))
    const take = async (piece: Uint8Array): Promise<Failure | null> => {
      const events = multipart.push(piece)
      if (events === null) return malformed
      for (const event of events) {
        const refused = await sorter.take(event)
        if (refused !== null) return refused
      }
      return null
    }
    yield* Stream.runForEach(arriving(request), (piece) =>
      Effect.flatMap(Effect.tryPromise({ try: () => take(piece), catch: unwritable }), (refused) =>
        refused === null ? Effect.void : Effect.fail(refused),
      ),
    )
    return sorter
  })
  const { fields, file, bytes, head } = yield* Effect.scoped(read)
  if (!multipart.isWhole()) return yield* cut
  const form: Form = {
    fields,
    file:
      file === null ? null : { path, bytes, head, filename: file.filename, contentType: file.contentType },
  }
  return form
})
