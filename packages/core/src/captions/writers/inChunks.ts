const CHUNK = 1024

/** Small pieces put together to chunks a host can encode one by one: as quick as one big string, in constant memory. */
export function* inChunks(pieces: Iterable<string>): Generator<string> {
  let chunk = ""
  let count = 0
  for (const piece of pieces) {
    chunk += piece
    if (++count === CHUNK) {
      yield chunk
      chunk = ""
      count = 0
    }
  }
  if (chunk !== "") yield chunk
}
