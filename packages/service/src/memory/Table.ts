/** What is to be done to take back a transaction, last step first. */
export type Journal = Array<() => void>

/** Rows by key. Rows are values: a change is a new row. Every change can be taken back through the journal. */
export class Table<Row> {
  readonly #rows = new Map<string, Row>()
  readonly #journal: Journal

  constructor(journal: Journal) {
    this.#journal = journal
  }

  get(key: string): Row | undefined {
    return this.#rows.get(key)
  }

  has(key: string): boolean {
    return this.#rows.has(key)
  }

  set(key: string, row: Row): void {
    this.#remember(key)
    this.#rows.set(key, row)
  }

  delete(key: string): void {
    if (!this.#rows.has(key)) return
    this.#remember(key)
    this.#rows.delete(key)
  }

  values(): IterableIterator<Row> {
    return this.#rows.values()
  }

  filter(fits: (row: Row) => boolean): Array<Row> {
    const found: Array<Row> = []
    for (const row of this.#rows.values()) if (fits(row)) found.push(row)
    return found
  }

  deleteWhere(fits: (row: Row) => boolean): void {
    const keys: Array<string> = []
    for (const [key, row] of this.#rows) if (fits(row)) keys.push(key)
    for (const key of keys) this.delete(key)
  }

  #remember(key: string) {
    const before = this.#rows.get(key)
    this.#journal.push(() => {
      if (before === undefined) this.#rows.delete(key)
      else this.#rows.set(key, before)
    })
  }
}
