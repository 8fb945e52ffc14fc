import { type EditableTranscript, newestInEffect } from "@earmark/batch"
import {
  applyEdits,
  changedLines,
  type EditableBase,
  type EditOperation,
  editableBaseOf,
  readEdited,
  writeEditable,
} from "@earmark/core/edits"
import { FileSystem, Path } from "@effect/platform"
import { Effect, Either } from "effect"
import { CommandFailed, failed, usage } from "../CommandFailed.js"
import { findEditor, openEditor } from "../editing/editor.js"
import { tellRewritten } from "../editing/tellRewritten.js"
import type { Given } from "../grammar/Grammar.js"
import type { editing as editingSpec } from "../grammar/transcripts.js"
import { readAll } from "../input.js"
import type { Library } from "../library/Library.js"
import { entryOf } from "../library/libraryOf.js"
import { note } from "../output.js"
import { tableOf } from "../table.js"
import { counted } from "../transcribe/figures.js"
import { moment, sayDone, show } from "./administration/administer.js"

type Options = Given<typeof editingSpec>

/** Ten hours of speech are a megabyte. */
const LONGEST_DRAFT = 50_000_000

const NOTHING = "Nothing was changed."

const list = (options: Options, library: Library, id: string) =>
  Effect.flatMap(library.edits(id), (data) =>
    show(
      { data },
      options.json,
      () =>
        tableOf(
          [
            { head: "revision", cell: ({ revision }) => revision },
            { head: "made", cell: ({ made_at }) => moment(made_at) },
            ...(data.some(({ made_by }) => made_by !== null)
              ? [{ head: "by", cell: ({ made_by }: (typeof data)[number]) => made_by, canBeCut: true }]
              : []),
            {
              head: "changes",
              cell: ({ undo, operations }) =>
                undo === null ? counted(operations ?? 0, "change") : `undo of ${undo}`,
            },
          ],
          data,
        ),
      () => (data.length === 0 ? `${id} was never edited.` : null),
    ),
  )

const undo = (options: Options, library: Library, id: string) =>
  Effect.gen(function* () {
    const given = options.revision
    if (given !== undefined && !/^\d{1,9}$/.test(given))
      return yield* usage(`--undo needs the number of a revision, not "${given}". --history lists them.`)
    const undone = given === undefined ? newestInEffect(yield* library.edits(id)) : Number(given)
    if (undone === null)
      return yield* failed(
        `No edit of ${id} is in effect. To take an undo back, give its revision: --undo N. --history lists them.`,
      )
    const { revision, lines } = yield* library.undoEdit(id, undone)
    const files = yield* tellRewritten(library, id)
    yield* sayDone(
      { id, undone, revision, lines, ...files },
      options.json,
      `Revision ${undone} is undone, revision ${revision}.`,
    )
  })

/** Reads what was changed in a file, and applies it. */
const apply = (
  options: Options,
  library: Library,
  before: EditableTranscript,
  operations: ReadonlyArray<EditOperation>,
) =>
  Effect.gen(function* () {
    const { id, transcript, revision: base } = before
    if (operations.length === 0)
      return yield* sayDone({ id, revision: base, changed: 0 }, options.json, NOTHING)
    const { revision, lines } = yield* library.edit(id, base, operations)
    const after = Either.getOrElse(applyEdits(transcript, operations), () => transcript)
    const changed = changedLines(transcript, after)
    const files = yield* tellRewritten(library, id)
    yield* sayDone(
      { id, revision, lines, changed, ...files },
      options.json,
      `${counted(changed, "line")} changed, revision ${revision}.`,
    )
  })

const operationsIn = (file: string, before: EditableTranscript) =>
  Either.mapLeft(readEdited(file, before.transcript), ({ message }) => failed(`${message} ${NOTHING}`))

const readFile = (path: string) => Effect.map(readAll(path, LONGEST_DRAFT), (bytes) => bytes.toString("utf8"))

/** The options that name the same library again. */
const placeIn = ({ server, profile, local }: Options): string =>
  [
    ...(server === undefined ? [] : [` --server ${server}`]),
    ...(profile === undefined ? [] : [` --profile ${profile}`]),
    ...(local ? [" --local"] : []),
  ].join("")

const keptAt = (options: Options, id: string, path: string): string =>
  `The draft is kept: ${path}. Correct it, and apply it with: earmark edit ${id}${placeIn(options)} --draft ${path}`

/** A draft of an earlier text would take back what others have changed. */
const OUTDATED = "revision_conflict"

const anew = (options: Options, id: string): string =>
  `Nothing was changed. Open the newest text, and make your changes there: earmark edit ${id}${placeIn(options)}`

const keptOutdated = (options: Options, id: string, path: string): string =>
  `${anew(options, id)} (they are kept in ${path})`

const keeping =
  (options: Options, id: string, path: string) =>
  <A, R>(work: Effect.Effect<A, CommandFailed, R>): Effect.Effect<A, CommandFailed, R> =>
    work.pipe(
      Effect.mapError(({ message, exitCode, code }) => {
        const kept = code === OUTDATED ? keptOutdated : keptAt
        return new CommandFailed({ message: `${message} ${kept(options, id, path)}`, exitCode })
      }),
      Effect.onInterrupt(() => note(keptAt(options, id, path))),
    )

const newDraft = (id: string, text: string) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const folder = yield* files.makeTempDirectory({ prefix: "earmark-edit-" })
    const draft = path.join(folder, `${id}.txt`)
    yield* files.writeFileString(draft, text, { mode: 0o600 })
    const remove = Effect.ignore(files.remove(folder, { recursive: true }))
    return { path: draft, remove }
  }).pipe(Effect.mapError(({ message }) => failed(`Cannot write a file for the editor: ${message}.`)))

const inEditor = (options: Options, library: Library, id: string) =>
  Effect.gen(function* () {
    const editor = yield* findEditor
    const before = yield* library.editable(id)
    const text = writeEditable(before.transcript, before)
    const draft = yield* newDraft(id, text)
    /** An editor that fails before anything was typed leaves nothing worth keeping. */
    const isUntouched = Effect.map(
      Effect.orElseSucceed(readFile(draft.path), () => ""),
      (now) => now === text,
    )
    yield* openEditor(editor, draft.path).pipe(
      Effect.catchAll((error) =>
        Effect.flatMap(isUntouched, (isSame) =>
          isSame
            ? Effect.zipRight(draft.remove, error)
            : Effect.fail(error).pipe(keeping(options, id, draft.path)),
        ),
      ),
    )
    yield* Effect.gen(function* () {
      const operations = yield* operationsIn(yield* readFile(draft.path), before)
      yield* apply(options, library, before, operations)
    }).pipe(keeping(options, id, draft.path))
    yield* draft.remove
  })

const baseOf = (
  file: string,
  id: string,
  path: string,
): Effect.Effect<EditableBase | null, CommandFailed> => {
  const base = editableBaseOf(file)
  return base !== null && base.id !== id
    ? Effect.fail(usage(`${path} is of ${base.id}, not of ${id}. Give the id that it is of.`))
    : Effect.succeed(base)
}

/** A draft says which revision it was made of: what others have changed since is not taken back by it. */
const fromDraft = (options: Options, library: Library, id: string, path: string) =>
  Effect.gen(function* () {
    const file = yield* readFile(path)
    const base = yield* baseOf(file, id, path)
    const before = yield* library.editable(id, base?.revision)
    yield* apply(options, library, before, yield* operationsIn(file, before)).pipe(
      Effect.mapError((error) =>
        error.code === OUTDATED
          ? new CommandFailed({ ...error, message: `${error.message} ${anew(options, id)}` })
          : error,
      ),
    )
  })

export const edit = (options: Options) =>
  Effect.gen(function* () {
    const { history, draft, revision } = options
    if ([history, options.undo, draft !== undefined].filter(Boolean).length > 1)
      return yield* usage("Give one of --history, --undo and --draft.")
    if (revision !== undefined && !options.undo)
      return yield* usage("A revision is for --undo: earmark edit ID --undo N.")
    const { library, id } = yield* entryOf(options)
    if (history) return yield* list(options, library, id)
    if (options.undo) return yield* undo(options, library, id)
    return yield* draft === undefined
      ? inEditor(options, library, id)
      : fromDraft(options, library, id, draft)
  })
