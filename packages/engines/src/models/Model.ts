/** A file of a model, as it was pinned. */
export interface ModelFile {
  readonly name: string
  readonly url: string
  readonly bytes: number
  /** In hexadecimal; null where nobody has published it: such a file is taken only on trust. */
  readonly sha256: string | null
}

/** What the files of a model are for. `speakers`: who a voice is; `turns`: where voices change. */
export type ModelUse = "transducer" | "moonshine" | "whisper" | "whisper.cpp" | "voice" | "speakers" | "turns"

/** A model that can be pulled. */
export interface Model {
  readonly id: string
  readonly use: ModelUse
  readonly files: ReadonlyArray<ModelFile>
  /** Codes, or `any` for a hundred of them. */
  readonly languages: "any" | ReadonlyArray<string>
  readonly licence: string
  /** Whoever pulls it says that its licence was read: it asks for more than a notice, or must be checked. */
  readonly mustAccept: boolean
  /** Memory that one process needs with it. */
  readonly needBytes: number
  readonly about: string
}
