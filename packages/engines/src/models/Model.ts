/** A package of the npm registry that has weights in it, pinned. */
export interface NpmPackage {
  readonly name: string
  readonly version: string
  /** As the registry tells it: `sha512-` and the digest in base64. */
  readonly integrity: string
  /** Size of its tarball. */
  readonly bytes: number
}

/** A file inside an npm package. `llama-tokens`: not the file itself, but the token list that is built from it. */
export interface NpmFile {
  readonly package: NpmPackage
  readonly path: string
  readonly convert?: "llama-tokens"
}

/** A file of a model, as it was pinned. */
export type ModelFile = {
  readonly name: string
  readonly bytes: number
  /** In hexadecimal; null where no checksum is published: such a file is accepted only with --trust-on-first-use. */
  readonly sha256: string | null
} & ({ readonly url: string } | { readonly npm: NpmFile })

/** What the files of a model are for. `speakers`: who a voice is; `turns`: where voices change. */
export type ModelUse =
  | "transducer"
  | "moonshine"
  | "moonshine-merged"
  | "whisper"
  | "whisper.cpp"
  | "voice"
  | "speakers"
  | "turns"

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
