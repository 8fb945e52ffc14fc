import { Context, Effect, Layer, PubSub, Stream } from "effect"

/** A job of an account has changed; several have when none is named. */
export interface JobTold {
  readonly account: string
  readonly job: string | null
}

/** `missed`: something may have been told that did not arrive, whoever it was about. */
export type JobHeard = JobTold | "missed"

/** More than this many that nobody has taken yet: the oldest are lost. */
const KEPT = 10_000

/**
 * Word of jobs that have changed, in any process of a service. A hint, no more: it may be late or lost, and what is true is asked of the
 * store.
 */
export class JobNews extends Context.Tag("@earmark/service/JobNews")<
  JobNews,
  {
    /** Called after the change is written. Waits for nobody. */
    readonly tell: (told: JobTold) => Effect.Effect<void>
    /** What is told from now on, here and elsewhere. */
    readonly heard: Stream.Stream<JobHeard>
    /** Whether what other processes tell arrives at the moment. */
    readonly isComplete: Effect.Effect<boolean>
  }
>() {
  /** Within one process. */
  static readonly layer = Layer.effect(
    JobNews,
    Effect.suspend(() =>
      Effect.map(
        makeJobNews({ tellOthers: () => Effect.void, hearsOthers: Effect.succeed(true) }),
        ({ news }) => news,
      ),
    ),
  )
}

/** How news get to other processes. */
interface Carrier {
  readonly tellOthers: (told: JobTold) => Effect.Effect<void>
  readonly hearsOthers: Effect.Effect<boolean>
}

/** News within this process, carried to others and from them: `hear` is what they have told. */
export const makeJobNews = ({ tellOthers, hearsOthers }: Carrier) =>
  Effect.map(PubSub.sliding<JobHeard>(KEPT), (told) => {
    const hear = (heard: JobHeard) => Effect.asVoid(PubSub.publish(told, heard))
    const news: JobNews["Type"] = {
      tell: (change) => Effect.zipRight(hear(change), tellOthers(change)),
      heard: Stream.fromPubSub(told),
      isComplete: hearsOthers,
    }
    return { news, hear }
  })
