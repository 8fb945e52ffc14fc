/** A value that is made when it is first asked for: every command reads this code, and few need its tables. */
export const onUse = <Value extends object>(make: () => Value): (() => Value) => {
  let known: Value | undefined
  return () => {
    known ??= make()
    return known
  }
}
