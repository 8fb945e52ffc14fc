/** What a spreadsheet would take for a formula. */
const FORMULA = /^[=+\-@\t\r]/

const fieldOf = (value: string | number): string =>
  typeof value === "number"
    ? String(value)
    : `"${(FORMULA.test(value) ? `'${value}` : value).replaceAll('"', '""')}"`

/** Comma separated values after RFC 4180, with the names of the columns first. */
export const csvOf = (
  columns: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string | number>>,
): string => [columns.join(","), ...rows.map((row) => row.map(fieldOf).join(","))].join("\r\n")
