/** One trace over everything that a request sets going, whichever process does it. */
import { Effect, FiberRef, GlobalValue, Option, Tracer } from "effect"
import type { JobSource } from "../ports/records.js"

/** Whether anybody collects traces. Off, nothing is stored and nothing is sent along. */
export const tracingOn = GlobalValue.globalValue(Symbol.for("@earmark/service/tracingOn"), () =>
  FiberRef.unsafeMake(false),
)

const TRACE_PARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/
const SAMPLED = 1

const isZero = (id: string): boolean => /^0+$/.test(id)

/** The span that a `traceparent` of W3C Trace Context names; none for what is no such text. */
const parseTraceParent = (text: string): Option.Option<Tracer.ExternalSpan> => {
  const found = TRACE_PARENT.exec(text)
  const [, traceId = "", spanId = "", flags = ""] = found ?? []
  if (found === null || text.startsWith("ff") || isZero(traceId) || isZero(spanId)) return Option.none()
  const sampled = (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED
  return Option.some(Tracer.externalSpan({ traceId, spanId, sampled }))
}

const formatTraceParent = ({ traceId, spanId, sampled }: Tracer.AnySpan): string =>
  `00-${traceId}-${spanId}-${sampled ? "01" : "00"}`

/** The span of the moment, for whoever goes on with it elsewhere; null when nobody collects traces. */
export const currentTrace: Effect.Effect<string | null> = Effect.flatMap(FiberRef.get(tracingOn), (isOn) =>
  isOn
    ? Effect.map(Effect.option(Effect.currentParentSpan), (span) =>
        Option.getOrNull(Option.map(span, formatTraceParent)),
      )
    : Effect.succeed(null),
)

/** Does the work as part of a trace that began elsewhere. */
export const continueTrace =
  (trace: string | null | undefined) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Option.match(parseTraceParent(trace ?? ""), {
      onNone: () => work,
      onSome: (span) => Effect.provideService(work, Tracer.ParentSpan, span),
    })

/** A span, where anybody collects them. */
export const traced =
  (name: string, options: Tracer.SpanOptions = {}) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(FiberRef.get(tracingOn), (isOn) =>
      isOn ? Effect.withSpan(work, name, { ...options, captureStackTrace: false }) : work,
    )

/**
 * A function each of whose runs is a span, as with `Effect.fn`. Where tracing is switched off it does nothing more: `Effect.fn` still makes
 * something of a span there, with a copy of all services around it, which is more than a request can afford.
 */
export const tracedFn =
  (name: string) =>
  <Args extends ReadonlyArray<unknown>, A, E, R>(work: (...args: Args) => Effect.Effect<A, E, R>) =>
  (...args: Args): Effect.Effect<A, E, R> =>
    Effect.flatMap(FiberRef.get(FiberRef.currentTracerEnabled), (isOn) =>
      isOn ? Effect.withSpan(work(...args), name, { captureStackTrace: false }) : work(...args),
    )

/** A source that knows who asked for it. */
export const withTrace = (source: JobSource): Effect.Effect<JobSource> =>
  Effect.map(currentTrace, (trace) => (trace === null ? source : { ...source, trace }))
