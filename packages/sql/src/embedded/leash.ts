import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { closeSync, constants, openSync, readSync, rmSync } from "node:fs"
import { join } from "node:path"
import { EmbeddedRefused } from "./EmbeddedRefused.js"
import { environmentOf, giveTo, type Place } from "./place.js"
import { SOON } from "./programs.js"

/**
 * Everyone who uses a server holds a pipe open for writing, and a shell reads it. Its end says that nobody is left, however they ended:
 * then the shell stops the server. The shell is the parent of the server, so no other process can get its number meanwhile.
 */
const START = `exec 3<&0 </dev/null
"$@" 3<&- & server=$!
{ read -r _ <&3; [ "/proc/$server/cwd" -ef . ] && kill -INT $server; } & reader=$!
exec 3<&-; wait $server; code=$?; kill $reader 2>/dev/null; exit $code`

/** For a server whose shell was killed. */
const HOLD = `read -r _; [ "/proc/$1/cwd" -ef . ] && kill -INT "$1"`

const pipeOf = (runtime: string): string => join(runtime, "leash")

/** The end of the pipe that this process holds: one at a time, and the next before the last one is closed. */
export class Hold {
  private file: number | null = null

  take(file: number): void {
    this.drop()
    this.file = file
  }

  drop(): void {
    if (this.file !== null) closeSync(this.file)
    this.file = null
  }
}

const makePipe = ({ runtime, user, folder }: Place): void => {
  const pipe = pipeOf(runtime)
  rmSync(pipe, { force: true })
  try {
    execFileSync("mkfifo", ["-m", "600", pipe], { timeout: SOON })
  } catch (error) {
    throw new EmbeddedRefused({ reason: "programs", folder, found: String(error) })
  }
  giveTo(user, pipe)
}

const spawnLeash = (place: Place, hold: Hold, script: string, args: ReadonlyArray<string>): ChildProcess => {
  makePipe(place)
  const pipe = pipeOf(place.runtime)
  // Opened for both first: opening one end waits for the other.
  const both = openSync(pipe, constants.O_RDWR)
  // The same pipe again, whatever has its name by now: opening one end of another pipe might wait for ever.
  const same = `/proc/self/fd/${both}`
  const reading = openSync(same, constants.O_RDONLY)
  hold.take(openSync(same, constants.O_WRONLY))
  const log = openSync(place.log, "a", 0o600)
  const shell = spawn("/bin/sh", ["-c", script, "earmark-leash", ...args], {
    // A session of its own: Ctrl-C is for the commands, not for the server.
    detached: true,
    cwd: place.data,
    env: environmentOf(place),
    stdio: [reading, log, log],
    ...place.user,
  })
  for (const file of [both, reading, log]) closeSync(file)
  shell.unref()
  return shell
}

/** Starts a program that runs as long as anyone holds its leash, and answers its shell. */
export const startLeashed = (place: Place, hold: Hold, command: ReadonlyArray<string>): ChildProcess =>
  spawnLeash(place, hold, START, command)

/** A new leash for a server that runs already, and has lost its own. */
export const holdAgain = (place: Place, hold: Hold, pid: number): void => {
  spawnLeash(place, hold, HOLD, [String(pid)]).on("error", () => undefined)
}

const open = ({ runtime }: Place): number | null => {
  try {
    return openSync(pipeOf(runtime), constants.O_WRONLY | constants.O_NONBLOCK)
  } catch {
    return null
  }
}

/** Holds the leash of a running server too; answers whether there is one. */
export const joinLeash = (place: Place, hold: Hold): boolean => {
  const file = open(place)
  if (file !== null) hold.take(file)
  return file !== null
}

/** Whether something still waits for the last one to let go. */
export const hasLeash = (place: Place): boolean => {
  const file = open(place)
  if (file !== null) closeSync(file)
  return file !== null
}

/** Whether nobody holds the leash. */
export const isLetGo = ({ runtime }: Place): boolean => {
  try {
    const reading = openSync(pipeOf(runtime), constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      return readSync(reading, Buffer.alloc(1)) === 0
    } finally {
      closeSync(reading)
    }
  } catch (error) {
    // Somebody holds it, and says nothing.
    return !(error instanceof Error && "code" in error && error.code === "EAGAIN")
  }
}
