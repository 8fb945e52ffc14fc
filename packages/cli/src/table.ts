import { printable } from "./output.js"

/** A column: its head, and what stands in it. */
export interface Column<Row> {
  readonly head: string
  readonly cell: (row: Row) => string | number | null
  /** Flush right, as numbers are anyway. */
  readonly isFlushRight?: boolean
  /** Cut in the middle where the row would be wider than the terminal. */
  readonly canBeCut?: boolean
}

/** A text of at most so many characters: its begin and its end. */
export const shortened = (text: string, longest: number): string => {
  const head = Math.floor((longest - 1) * 0.43)
  return text.length <= longest ? text : `${text.slice(0, head)}…${text.slice(head + 1 - longest)}`
}

const NARROWEST = 16

const GAP = 2

const ofTerminal = (): number => (process.stdout.isTTY ? process.stdout.columns : Number.POSITIVE_INFINITY)

const shown = (value: string | number | null): string => (value === null ? "-" : printable(String(value)))

const widthOf = (texts: ReadonlyArray<string>): number => Math.max(...texts.map(({ length }) => length))

/** The width that all can have which need more, when the others have what they need. */
const levelOf = (widths: ReadonlyArray<number>, room: number): number => {
  let left = room
  let level = NARROWEST
  for (const [at, width] of [...widths].sort((one, other) => one - other).entries()) {
    level = Math.max(NARROWEST, Math.floor(left / (widths.length - at)))
    left -= Math.min(width, level)
  }
  return level
}

/** Rows under their heads, in columns as wide as they need; columns of numbers are flush right. No rows have no heads. */
export const tableOf = <Row>(
  columns: ReadonlyArray<Column<Row>>,
  rows: ReadonlyArray<Row>,
  terminal = ofTerminal(),
): string => {
  if (rows.length === 0) return ""
  const whole = columns.map((column) => {
    const values = rows.map(column.cell)
    return { ...column, values, texts: [column.head, ...values.map(shown)] }
  })
  const others = whole.filter(({ canBeCut }) => canBeCut !== true)
  const taken = others.reduce((sum, { texts }) => sum + widthOf(texts), GAP * (columns.length - 1))
  const widths = whole.filter(({ canBeCut }) => canBeCut).map(({ texts }) => widthOf(texts))
  const longest = levelOf(widths, terminal - taken)
  const cells = whole.map(({ values, texts: uncut, canBeCut, isFlushRight = false }) => {
    const texts = canBeCut ? uncut.map((text) => shortened(text, longest)) : uncut
    const width = widthOf(texts)
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
