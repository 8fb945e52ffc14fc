/** What is to be done to take back a transaction, last step first. */
export type Journal = Array<() => void>

/** Rows by key. Rows are values: a change is a new row. Every change can be taken back through the journal. */
export interface Table<Row> {
  readonly get: (key: string) => Row | undefined
  readonly has: (key: string) => boolean
  readonly set: (key: string, row: Row) => void
  readonly delete: (key: string) => void
  readonly values: () => IterableIterator<Row>
  readonly filter: (fits: (row: Row) => boolean) => Array<Row>
  readonly deleteWhere: (fits: (row: Row) => boolean) => void
}

export const makeTable = <Row>(journal: Journal): Table<Row> => {
  const rows = new Map<string, Row>()

  const remember = (key: string) => {
    const before = rows.get(key)
    journal.push(() => {
      if (before === undefined) rows.delete(key)
      else rows.set(key, before)
    })
  }
  const remove = (key: string) => {
    if (!rows.has(key)) return
    remember(key)
    rows.delete(key)
  }

  return {
    get: (key) => rows.get(key),
    has: (key) => rows.has(key),
    set: (key, row) => {
      remember(key)
      rows.set(key, row)
    },
    delete: remove,
    values: () => rows.values(),
    filter: (fits) => {
      const found: Array<Row> = []
      for (const row of rows.values()) if (fits(row)) found.push(row)
      return found
    },
    deleteWhere: (fits) => {
      const keys: Array<string> = []
      for (const [key, row] of rows) if (fits(row)) keys.push(key)
      for (const key of keys) remove(key)
    },
  }
}
