/** Does something with each, so many at once. One that fails stops no other; answers the failures. */
export const eachOf = async <Item>(
  items: ReadonlyArray<Item>,
  atOnce: number,
  run: (item: Item) => Promise<unknown>,
): Promise<ReadonlyArray<unknown>> => {
  const left = items.values()
  const failures: Array<unknown> = []
  const worker = async () => {
    for (const item of left)
      await run(item).catch((error: unknown) => {
        failures.push(error)
      })
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return failures
}
