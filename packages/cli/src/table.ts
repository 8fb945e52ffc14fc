import { printable } from "./output.js"

/** A column: its head, and what stands in it. */
export interface Column<Row> {
  readonly head: string
  readonly cell: (row: Row) => string | number | null
  /** Flush right, as numbers are anyway. */
  readonly isFlushRight?: boolean
}

const shown = (value: string | number | null): string => (value === null ? "-" : printable(String(value)))

/** Rows under their heads, in columns as wide as they need; columns of numbers are flush right. */
export const tableOf = <Row>(columns: ReadonlyArray<Column<Row>>, rows: ReadonlyArray<Row>): string => {
  const cells = columns.map(({ head, cell, isFlushRight = false }) => {
    const values = rows.map(cell)
    const texts = [head, ...values.map(shown)]
    const width = Math.max(...texts.map(({ length }) => length))
    const isRight = isFlushRight || values.some((value) => typeof value === "number")
    return texts.map((text) => (isRight ? text.padStart(width) : text.padEnd(width)))
  })
  return ["", ...rows]
    .map((_, row) =>
      cells
        .map((column) => column[row] ?? "")
        .join("  ")
        .trimEnd(),
    )
    .concat("")
    .join("\n")
}

/** Facts of one thing, a line each. */
export const factsOf = (
  facts: ReadonlyArray<readonly [name: string, value: string | number | null]>,
): string => {
  const width = Math.max(...facts.map(([name]) => name.length))
  return facts.map(([name, value]) => `${name.padEnd(width)}  ${shown(value)}\n`).join("")
}
