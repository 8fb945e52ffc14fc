import * as Schema from "effect/Schema"

const METADATA_BYTES = 16 * 1024

const jsonBytes = (value: unknown): number => {
  try {
    return new TextEncoder().encode(JSON.stringify(value)).length
  } catch {
    // A program may pass what no request can hold: a cycle, a bigint.
    return Number.POSITIVE_INFINITY
  }
}

/** Free values of the client, kept and given back untouched. */
export const Metadata = Schema.Record({ key: Schema.String, value: Schema.Unknown }).pipe(
  Schema.filter((metadata) => jsonBytes(metadata) <= METADATA_BYTES, {
    description: `an object of at most ${METADATA_BYTES} bytes of JSON`,
    arbitrary: () => (fc) => fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 }),
  }),
)
export type Metadata = typeof Metadata.Type
