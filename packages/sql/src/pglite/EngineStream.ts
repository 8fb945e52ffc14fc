import { Duplex } from "node:stream"
import type { Engine } from "./engine.js"

const TERMINATE = 0x58

const question = (text: string): Uint8Array => {
  const body = Buffer.from(`${text}\0`, "utf8")
  const message = Buffer.alloc(5 + body.length)
  message.write("Q", 0)
  message.writeInt32BE(4 + body.length, 1)
  body.copy(message, 5)
  return message
}

/**
 * What the driver takes for a socket. The engine has one session for all connections, so a new one first clears what the one before it
 * may have left: a transaction, prepared statements, settings.
 */
export class EngineStream extends Duplex {
  private ready: Promise<unknown>

  constructor(private readonly engine: Engine) {
    super()
    this.ready = Promise.resolve()
  }

  connect(): this {
    this.ready = this.engine
      .exchange(question("ROLLBACK"))
      .then(() => this.engine.exchange(question("DISCARD ALL")))
      .catch(() => undefined)
    process.nextTick(() => this.emit("connect"))
    return this
  }

  setNoDelay(): this {
    return this
  }
  setKeepAlive(): this {
    return this
  }
  ref(): this {
    return this
  }
  unref(): this {
    return this
  }

  override _read(): void {
    // Answers are pushed as they come.
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.send(chunk, done)
  }

  override _writev(
    chunks: ReadonlyArray<{ readonly chunk: Buffer }>,
    done: (error?: Error | null) => void,
  ): void {
    this.send(Buffer.concat(chunks.map(({ chunk }) => chunk)), done)
  }

  private send(bytes: Buffer, done: (error?: Error | null) => void): void {
    // The session outlives the connection.
    if (bytes[0] === TERMINATE) {
      this.push(null)
      done()
      return
    }
    this.ready
      .then(() => this.engine.exchange(bytes))
      .then(
        (answer) => {
          if (answer.length > 0) this.push(Buffer.from(answer))
          done()
        },
        (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
      )
  }
}
