import { Data } from "effect"
import { MAJOR } from "./serverSettings.js"

const SENTENCES = {
  busy: "another process has been starting it for too long. Look whether that process is stuck, and end it",
  version: `it was made by another version of Postgres, and this Earmark has ${MAJOR}. Take a backup with the Earmark that made it, and restore it into a new folder`,
  elsewhere: "another host or container uses it. Stop that one first, or let both use one database server",
  occupied: "the folder of its socket belongs to another user. Remove that folder",
  unreadable:
    "the user that runs Postgres may not read its programs. Install Earmark in a folder that all users may read, or run it as a user other than root",
  missing:
    "no Postgres from npm is installed for this system. Use a database server, or the embedded database of WebAssembly",
  programs: "a program that starts Postgres is missing. Install /bin/sh and mkfifo, or use a database server",
  failed: "Postgres did not start. Look at the reason and at postgres.log in that folder",
  slow: "Postgres is not ready after a minute. Look at postgres.log in that folder and at the load of this machine",
} as const

/** The embedded Postgres of a folder cannot be used. */
export class EmbeddedRefused extends Data.TaggedError("EmbeddedRefused")<{
  readonly reason: keyof typeof SENTENCES
  readonly folder: string
  /** What was found: a version, a host, a path, the words of Postgres. */
  readonly found?: string
}> {
  override get message() {
    const found = this.found === undefined ? "" : ` (${this.found})`
    return `Cannot open the database in ${this.folder}: ${SENTENCES[this.reason]}${found}.`
  }
}
