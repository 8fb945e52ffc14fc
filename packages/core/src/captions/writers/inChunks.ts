const MOST_PIECES = 1024
const MOST_CHARACTERS = 128 * 1024

/** Small pieces put together to chunks a host can encode one by one: as quick as one big string, in constant memory. */
export function* inChunks(pieces: Iterable<string>): Generator<string> {
  let chunk = ""
  let count = 0
  for (const piece of pieces) {
    chunk += piece
    if (++count === MOST_PIECES || chunk.length >= MOST_CHARACTERS) {
      yield chunk
      chunk = ""
      count = 0
    }
  }
  if (chunk !== "") yield chunk
}
