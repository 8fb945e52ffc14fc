/** Lists that are read page by page. */

interface Page<Item> {
  readonly data: ReadonlyArray<Item>
  readonly next_cursor: string | null
}

/** The first page when it is awaited; every item, page after page, when it is iterated. */
export interface Pages<Item, Answer> extends Promise<Answer>, AsyncIterable<Item> {
  /** Page after page. */
  readonly pages: () => AsyncIterable<Answer>
}

/** A list of which one page is asked for at once, and each further one when it is come to. */
export const pagesOf = <Item, Answer>(
  ask: (cursor: string | undefined) => Promise<Answer & Page<Item>>,
): Pages<Item, Answer> => {
  const first = ask(undefined)

  const pages = async function* () {
    let page = await first
    yield page
    while (page.next_cursor !== null) {
      page = await ask(page.next_cursor)
      yield page
    }
  }

  const items = async function* () {
    for await (const { data } of pages()) yield* data
  }

  return Object.assign(first, { pages, [Symbol.asyncIterator]: items })
}
