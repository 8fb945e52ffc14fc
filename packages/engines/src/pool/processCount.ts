import { availableParallelism, totalmem } from "node:os"

const GIGABYTE = 1024 ** 3

/** Bytes of memory that this process and its children may use: those of its container, or of the machine. */
export const availableMemory = (): number => {
  const limit = process.constrainedMemory()
  const total = totalmem()
  return limit > 0 && limit < total ? limit : total
}

/** How many engine processes fit: one a core, as many as memory holds beside a gigabyte for everything else, and no more than asked for. */
export const processCount = ({
  cores = availableParallelism(),
  memory = availableMemory(),
  needBytes,
  asked = Number.POSITIVE_INFINITY,
}: {
  readonly cores?: number
  readonly memory?: number
  readonly needBytes: number
  readonly asked?: number | undefined
}): number => Math.max(1, Math.min(cores, asked, Math.floor((memory - GIGABYTE) / needBytes)))
