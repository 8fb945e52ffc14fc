/** Work that can be paused: it stops for a moment after each few milliseconds, and ends with its result. */
export type Steps<A> = Generator<void, A>

/** All of the work at once. */
export const inOneGo = <A>(steps: Steps<A>): A => {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}
