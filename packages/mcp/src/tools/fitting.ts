import { Effect } from "effect"

/** No answer of a tool is longer than 40,000 characters, in either of its forms. This is left for content when the frame is taken off. */
export const CONTENT_CHARACTERS = 36_000

export const jsonLength = (value: unknown): number => JSON.stringify(value).length

/** A page that is short enough: asked for with fewer items until it is. One item is given whatever its length. */
export const fitting = <Page, E, R>(
  limit: number,
  ask: (limit: number) => Effect.Effect<Page, E, R>,
  lengthOf: (page: Page) => number,
): Effect.Effect<Page, E, R> =>
  Effect.gen(function* () {
    for (let items = limit; ; items = Math.max(1, Math.floor(items / 2))) {
      const page = yield* ask(items)
      if (items === 1 || lengthOf(page) <= CONTENT_CHARACTERS) return page
    }
  })

/** The first items that fit, by the length of their JSON. */
export const firstFitting = <Item>(
  items: ReadonlyArray<Item>,
  most: number,
  characters: number,
): ReadonlyArray<Item> => {
  let used = 0
  return items.slice(0, most).filter((item) => {
    used += jsonLength(item) + 1
    return used <= characters
  })
}

/** A text cut to a length, never inside a character. */
export const clipped = (text: string, most: number): string => {
  if (text.length <= most) return text
  const end = most - 1
  const isInside = text.charCodeAt(end - 1) >= 0xd800 && text.charCodeAt(end - 1) <= 0xdbff
  return `${text.slice(0, isInside ? end - 1 : end)}…`
}
