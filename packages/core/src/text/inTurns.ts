/** Work in turns of some milliseconds: other work may go on where it yields. */
export type InTurns<Result> = Generator<void, Result>

/** The result of work in turns, for those who have nothing else to do. */
export const finished = <Result>(turns: InTurns<Result>): Result => {
  let turn = turns.next()
  while (turn.done !== true) turn = turns.next()
  return turn.value
}
