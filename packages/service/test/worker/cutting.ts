/** Kills a worker between any two calls of its ports. */
import {
  Deliveries,
  Diarizer,
  Earmark,
  JobQueue,
  JobStore,
  Ledger,
  MediaDecoder,
  Payments,
  SpeechEngine,
  WebhookSender,
  WebhookStore,
  Worker,
} from "@earmark/service"
import { Context, Effect, Layer } from "effect"

export interface Cut {
  /** Which call is the last one: it is not made, or it is made and its answer is lost. */
  readonly at: number
  readonly answerLost: boolean
}

/** Ports that fall silent for good at one call. A process that is killed says nothing more. */
const makeKnife = (cut: Cut) => {
  let calls = 0
  const guard = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.suspend(() => {
      calls += 1
      if (calls < cut.at) return effect
      return calls === cut.at && cut.answerLost ? Effect.zipRight(effect, Effect.never) : Effect.never
    })

  const cutting = <Service extends object>(service: Service): Service =>
    new Proxy(service, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name)
        if (typeof value !== "function") return Effect.isEffect(value) ? guard(value) : value
        return (...given: ReadonlyArray<unknown>) => {
          const answer: unknown = Reflect.apply(value, target, [...given])
          return Effect.isEffect(answer) ? guard(answer) : answer
        }
      },
    })
  return { cutting, calls: () => calls, isDead: () => calls >= cut.at }
}

/** The loops of a process that dies at a cut, over the stores of the test. */
export const doomed = (cut: Cut) =>
  Effect.gen(function* () {
    const { cutting, ...knife } = makeKnife(cut)
    const wrap = <Id, Service extends object>(tag: Context.Tag<Id, Service>) =>
      Layer.effect(tag, Effect.map(tag, cutting))
    const ports = Layer.mergeAll(
      wrap(Diarizer),
      wrap(JobQueue),
      wrap(JobStore),
      wrap(Ledger),
      wrap(MediaDecoder),
      wrap(Payments),
      wrap(SpeechEngine),
      wrap(WebhookStore),
      wrap(WebhookSender),
    )
    const loops = Layer.fresh(Earmark.loops).pipe(Layer.provide(Layer.fresh(ports)))
    const context = yield* Layer.build(loops)
    return {
      ...knife,
      worker: Context.get(context, Worker),
      deliveries: Context.get(context, Deliveries),
    }
  })
