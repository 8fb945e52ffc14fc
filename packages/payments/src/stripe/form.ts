/** What a request carries. Nested values become `outer[inner]`, as Stripe reads forms. */
export interface Fields {
  readonly [name: string]: string | number | boolean | Fields | undefined
}

const pairsOf = (fields: Fields, outer: string | null): ReadonlyArray<readonly [string, string]> =>
  Object.entries(fields).flatMap(([name, value]): ReadonlyArray<readonly [string, string]> => {
    const full = outer === null ? name : `${outer}[${name}]`
    if (value === undefined) return []
    return typeof value === "object" ? pairsOf(value, full) : [[full, String(value)]]
  })

/** Fields as a form or a query. */
export const formOf = (fields: Fields): string =>
  pairsOf(fields, null)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join("&")
