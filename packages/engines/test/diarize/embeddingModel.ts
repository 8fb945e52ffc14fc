/** A speaker model made by hand: the mean of each filter over time. Small, no voice expert, and real to whoever loads it. */

/** Fields of a protocol buffer. */
const varint = (value: number): ReadonlyArray<number> =>
  value < 128 ? [value] : [(value & 127) | 128, ...varint(Math.floor(value / 128))]
const bytes = (field: number, content: ReadonlyArray<number>) => [
  ...varint(field * 8 + 2),
  ...varint(content.length),
  ...content,
]
const text = (field: number, value: string) => bytes(field, [...Buffer.from(value)])
const number = (field: number, value: number) => [...varint(field * 8), ...varint(value)]

const FLOAT = 1
const INT = 2
const INTS = 7

/** A tensor with names or sizes for its dimensions. */
const tensor = (name: string, shape: ReadonlyArray<string | number>) => {
  const dimensions = shape.flatMap((size) =>
    bytes(1, typeof size === "string" ? text(2, size) : number(1, size)),
  )
  return [...text(1, name), ...bytes(2, bytes(1, [...number(1, FLOAT), ...bytes(2, dimensions)]))]
}

const FILTERS = 80

const META = {
  framework: "3d-speaker",
  language: "English",
  output_dim: `${FILTERS}`,
  sample_rate: "16000",
  normalize_samples: "1",
  feature_normalize_type: "",
}

/** The mean over the second dimension, which goes, or stays as one. */
const mean = (input: string, output: string, staysAsOne: boolean) => [
  ...text(1, input),
  ...text(2, output),
  ...text(4, "ReduceMean"),
  ...bytes(5, [...text(1, "axes"), ...bytes(8, varint(1)), ...number(20, INTS)]),
  ...bytes(5, [...text(1, "keepdims"), ...number(3, staysAsOne ? 1 : 0), ...number(20, INT)]),
]

/** The file of the model (ONNX): how much louder than the others each filter is, on the whole. */
export const embeddingModel = (): Uint8Array => {
  const difference = [...text(1, "loudness"), ...text(1, "all"), ...text(2, "embedding"), ...text(4, "Sub")]
  const graph = [
    ...bytes(1, mean("x", "loudness", false)),
    ...bytes(1, mean("loudness", "all", true)),
    ...bytes(1, difference),
    ...text(2, "mean"),
    ...bytes(11, tensor("x", ["N", "T", FILTERS])),
    ...bytes(12, tensor("embedding", ["N", FILTERS])),
  ]
  const meta = Object.entries(META).flatMap(([key, value]) => bytes(14, [...text(1, key), ...text(2, value)]))
  return Uint8Array.from([
    ...number(1, 8),
    ...bytes(7, graph),
    ...bytes(8, [...text(1, ""), ...number(2, 13)]),
    ...meta,
  ])
}
