import { createServer, type Server } from "node:net"
import { Effect, Schedule } from "effect"
import { EmbeddedRefused } from "./EmbeddedRefused.js"
import type { Place } from "./place.js"

const listen = (name: string) =>
  Effect.async<Server, "held">((resume) => {
    // Whoever connects is turned away at once: a connection would keep the lock from closing.
    const server = createServer((socket) => socket.destroy())
    server.once("error", () => resume(Effect.fail("held" as const)))
    server.listen({ path: name }, () => resume(Effect.succeed(server)))
  })

const patience = Schedule.spaced("10 millis").pipe(Schedule.upTo("60 seconds"))

/** The lock of those who start the server of a folder, until the scope ends. The system lets go of it when its process ends. */
export const lockStart = ({ lock, folder }: Pick<Place, "lock" | "folder">) =>
  Effect.acquireRelease(listen(lock), (server) =>
    Effect.async<void>((resume) => {
      server.close(() => resume(Effect.void))
    }),
  ).pipe(
    Effect.retry(patience),
    Effect.mapError(() => new EmbeddedRefused({ reason: "busy", folder })),
  )
