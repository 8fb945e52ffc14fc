import type { ComponentChildren } from "preact"

export interface Column<Item> {
  readonly head: string
  readonly cell: (item: Item) => ComponentChildren
  /** What an item is called: a line of its own where the window is narrow. */
  readonly isMain?: true
  readonly isNumber?: true
}

interface DataTableProps<Item> {
  readonly columns: ReadonlyArray<Column<Item>>
  readonly of: ReadonlyArray<Item>
  readonly keyOf: (item: Item) => string
  /** What can be done with an item. */
  readonly action?: (item: Item) => ComponentChildren
  /** Whether an item is over: its line is told softly. */
  readonly hasEnded?: (item: Item) => boolean
}

const classOf = ({ isMain, isNumber }: Pick<Column<never>, "isMain" | "isNumber">) =>
  isMain ? "main" : isNumber ? "number" : undefined

/** A table; where the window is narrow a list of cards. */
export const DataTable = <Item,>({ columns, of, keyOf, action, hasEnded }: DataTableProps<Item>) => (
  <div class="table">
    <table class="cards">
      <thead>
        <tr>
          {columns.map(({ head, isNumber }) => (
            <th key={head} scope="col" class={isNumber ? "number" : undefined}>
              {head}
            </th>
          ))}
          {action !== undefined && <td />}
        </tr>
      </thead>
      <tbody>
        {of.map((item) => (
          <tr key={keyOf(item)} class={hasEnded?.(item) ? "ended" : undefined}>
            {columns.map((column) => (
              <td
                key={column.head}
                class={classOf(column)}
                data-label={column.isMain ? undefined : column.head}
              >
                {column.cell(item)}
              </td>
            ))}
            {action !== undefined && <td class="number">{action(item)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
