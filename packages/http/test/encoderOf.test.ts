import { type Operation, operations } from "@earmark/core/operations"
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, FastCheck, Schema, type SchemaAST } from "effect"
import { encoderOf } from "../src/answers/encoderOf.js"

const onTheWire = (value: unknown): unknown => JSON.parse(JSON.stringify([value]))

const agrees = ({ ast }: { readonly ast: SchemaAST.AST }) => {
  const schema = Schema.make<unknown, unknown>(ast)
  const encode = encoderOf(schema)
  const bySchema = Schema.encodeSync(schema)
  FastCheck.assert(
    FastCheck.property(Arbitrary.make(Schema.typeSchema(schema)), (value) => {
      // A header of this name is lost by the schema; we keep it.
      FastCheck.pre(!JSON.stringify([value]).includes('"__proto__"'))
      assert.deepStrictEqual(onTheWire(encode(value)), onTheWire(bySchema(value)))
    }),
    { numRuns: 25 },
  )
}

describe("an answer is written as its schema would write it", () => {
  for (const [id, { answers }] of Object.entries<Operation>(operations)) {
    for (const [status, answer] of Object.entries(answers)) {
      if (answer !== null) it(`${id} ${status}`, () => agrees(answer))
    }
  }

  it("where names and forms differ, members are told apart, and things are missing", () => {
    const Clock = Schema.Struct({ kind: Schema.Literal("clock"), ticks: Schema.NumberFromString })
    const Book = Schema.Struct({
      kind: Schema.Literal("book"),
      pageCount: Schema.propertySignature(Schema.NullOr(Schema.NumberFromString)).pipe(
        Schema.fromKey("page_count"),
      ),
      bought: Schema.optional(Schema.DateTimeUtc),
      owners: Schema.Array(Schema.Union(Schema.String, Schema.Struct({ name: Schema.String }))),
      notes: Schema.Record({ key: Schema.String, value: Schema.Unknown }),
    })
    agrees(Schema.Union(Clock, Book, Schema.Null))
    agrees(Schema.Array(Schema.Union(Schema.NumberFromString, Schema.Literal("none"))))
    agrees(Schema.Struct({ shelf: Schema.optionalWith(Schema.Number, { default: () => 3 }) }))
  })

  it("and nothing that is not declared goes out", () => {
    const encode = encoderOf(Schema.Struct({ name: Schema.String }))
    const more = { name: "Ann", secret: "s3cret" }
    assert.deepStrictEqual(encode(more), { name: "Ann" })
  })
})
