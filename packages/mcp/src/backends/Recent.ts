/** The values that were used last, so many of them. */
export const makeRecent = <Value>(most: number) => {
  const values = new Map<string, Value>()

  const keep = (name: string, value: Value) => {
    values.delete(name)
    values.set(name, value)
    for (const oldest of values.keys()) {
      if (values.size <= most) break
      values.delete(oldest)
    }
  }

  const find = (name: string): Value | undefined => {
    const value = values.get(name)
    if (value !== undefined) keep(name, value)
    return value
  }

  return { find, keep }
}
