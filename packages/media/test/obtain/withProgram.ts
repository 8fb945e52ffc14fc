/** A stand-in for yt-dlp behind the port that uses it. */
import { Effect, type Scope } from "effect"
import { SocialVideo, YtDlp, type YtDlpOptions } from "../../src/index.js"
import { type StandIn, standIn } from "./standIn.js"

export const POST = "https://www.youtube.com/watch?v=dQw4w9WgXcQ"

export const withProgram = <A, E>(
  body: string,
  use: (social: SocialVideo["Type"], program: StandIn) => Effect.Effect<A, E, Scope.Scope>,
  options: YtDlpOptions = {},
) =>
  Effect.scoped(
    Effect.gen(function* () {
      const program = yield* standIn(body)
      return yield* Effect.flatMap(SocialVideo, (social) => use(social, program)).pipe(
        Effect.provide(YtDlp.layer({ program: program.program, ...options })),
      )
    }),
  )

export const record = (more: object) =>
  `console.log(${JSON.stringify(JSON.stringify({ title: "A clip", duration: 61.4, language: "en", ...more }))})`
