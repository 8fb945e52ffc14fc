import { JSONSchema, Schema } from "effect"

/** The number of a line. Written out, since servers do not follow references within a schema. */
export const LineNumber = Schema.Number.pipe(
  Schema.filter((value) => Number.isInteger(value), { jsonSchema: { type: "integer" } }),
)

/** The JSON schema of what a model has to answer. */
export const schemaOf = <A, I>(schema: Schema.Schema<A, I>): object => {
  const { $schema: _, ...jsonSchema } = JSONSchema.make(schema)
  return jsonSchema
}
