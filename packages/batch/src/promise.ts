/** Runs and the library of files for programs without Effect: promises, and the same typed errors. */
import { join } from "node:path"
import type { ExtrasRequest, TranscriptExtras } from "@earmark/core/wire"
import { Translator, Writer } from "@earmark/service"
import { Cause, Effect, Exit, type Layer, ManagedRuntime } from "effect"
import { BatchClosed } from "./BatchClosed.js"
import type { BatchOptions } from "./BatchOptions.js"
import type { BatchEvent } from "./events.js"
import type { Library } from "./library/Library.js"
import type { LibraryRefused } from "./library/LibraryRefused.js"
import { openLibrary } from "./library/openLibrary.js"
import type { Explain } from "./Problem.js"
import { type BatchSummary, retryEntry, runBatch } from "./runBatch.js"

/** What transcribes, and the files of this machine. */
export type BatchNeeds = Effect.Effect.Context<ReturnType<typeof runBatch>>

export interface BatchSettings<E> {
  /** Engine, media, resolver and files, merged into one layer. */
  readonly layer: Layer.Layer<BatchNeeds, E>
  /** A folder that all runs of a user know. */
  readonly state: string
  /** Says in other words what is wrong with a source. */
  readonly explain?: Explain
}

/** One run. */
export interface PromisedBatchOptions extends Omit<BatchOptions, "state" | "explain" | "onEvent"> {
  readonly onEvent?: (event: BatchEvent) => void
  /** Stops the run: what was heard is kept for the next one with the same sources. */
  readonly signal?: AbortSignal
}

type Promised<Method> = Method extends (...given: infer Given) => Effect.Effect<infer Answer, LibraryRefused>
  ? (...given: Given) => Promise<Answer>
  : never

/** The library of files, in promises. */
export type PromisedLibrary = {
  readonly [Name in
    | "idOf"
    | "list"
    | "show"
    | "name"
    | "retitle"
    | "export"
    | "search"
    | "searchPattern"
    | "remove"
    | "editable"
    | "edit"
    | "edits"
    | "undoEdit"]: Promised<Library[Name]>
} & {
  /** Makes a summary, chapters or a translation of the newest text, and answers how all extras fare. */
  readonly addExtras: (id: string, request: ExtrasRequest) => Promise<TranscriptExtras>
  /** Transcribes again what failed, or lacks an extra, and answers with the entry that came of it. */
  readonly retry: (
    id: string,
    options?: Pick<PromisedBatchOptions, "onEvent" | "signal">,
  ) => Promise<Effect.Effect.Success<ReturnType<typeof retryEntry>>>
}

/** Runs and a library, over the layers and the folder that they are given. Methods reject with `BatchRefused`, `LibraryRefused` and `BatchClosed`. */
export const makeBatch = <E>({ layer, state, explain }: BatchSettings<E>) => {
  const runtime = ManagedRuntime.make(layer)
  const closing = new AbortController()
  const underWay = new Set<Promise<unknown>>()
  const run = async <A, E>(effect: Effect.Effect<A, E, BatchNeeds>, signal?: AbortSignal): Promise<A> => {
    if (closing.signal.aborted) throw new BatchClosed()
    const running = runtime.runPromiseExit(effect, {
      signal: signal === undefined ? closing.signal : AbortSignal.any([signal, closing.signal]),
    })
    underWay.add(running)
    const exit = await running
    underWay.delete(running)
    if (Exit.isSuccess(exit)) return exit.value
    if (signal?.aborted === true && Cause.isInterrupted(exit.cause)) throw signal.reason
    if (closing.signal.aborted && Cause.isInterrupted(exit.cause)) throw new BatchClosed()
    throw Cause.squash(exit.cause)
  }
  const common = (onEvent: PromisedBatchOptions["onEvent"]) => ({
    state,
    ...(explain !== undefined && { explain }),
    onEvent: (event: BatchEvent) => Effect.sync(() => onEvent?.(event)),
  })
  const kept = openLibrary({ folder: join(state, "library"), ...(explain !== undefined && { explain }) })
  const library: PromisedLibrary = {
    idOf: (given) => run(kept.idOf(given)),
    list: (query) => run(kept.list(query)),
    show: (id, wait, parts) => run(kept.show(id, wait, parts)),
    name: (id, names) => run(kept.name(id, names)),
    retitle: (id, title) => run(kept.retitle(id, title)),
    export: (id, wanted) => run(kept.export(id, wanted)),
    search: (id, query) => run(kept.search(id, query)),
    searchPattern: (id, query) => run(kept.searchPattern(id, query)),
    remove: (id) => run(kept.remove(id)),
    editable: (id, revision) => run(kept.editable(id, revision)),
    edit: (id, base, operations) => run(kept.edit(id, base, operations)),
    edits: (id) => run(kept.edits(id)),
    undoEdit: (id, revision) => run(kept.undoEdit(id, revision)),
    addExtras: (id, request) =>
      run(
        Effect.flatMap(Effect.all({ writer: Writer, translator: Translator }), (staff) =>
          kept.addExtras(id, request, staff),
        ),
      ),
    retry: (id, { onEvent, signal } = {}) => run(retryEntry(id, common(onEvent)), signal),
  }
  return {
    runBatch: ({ onEvent, signal, ...options }: PromisedBatchOptions): Promise<BatchSummary> =>
      run(runBatch({ ...options, ...common(onEvent) }), signal),
    library,
    /** Lets go of the layers. What is under way stops, and keeps what was heard. */
    close: async () => {
      closing.abort()
      await Promise.all(underWay)
      await runtime.dispose()
    },
  }
}
