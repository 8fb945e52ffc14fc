import { type ReadonlySignal, signal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { agoOf, momentOf } from "../format.js"

const STEP = 20_000

/** Counts on while somebody looks: one clock for everything that tells how long ago something was. */
const steps = signal(0)
let users = 0
let timer: ReturnType<typeof setInterval> | undefined

const tick = () => {
  steps.value += 1
}

const look = () => {
  clearInterval(timer)
  if (users === 0 || document.visibilityState !== "visible") return
  timer = setInterval(tick, STEP)
}

const seen = () => {
  if (document.visibilityState === "visible") tick()
  look()
}

/** Changes as time goes by, while the page is seen. */
export const useSteps = (): ReadonlySignal<number> => {
  useEffect(() => {
    users += 1
    if (users === 1) {
      document.addEventListener("visibilitychange", seen)
      look()
    }
    return () => {
      users -= 1
      if (users > 0) return
      document.removeEventListener("visibilitychange", seen)
      look()
    }
  }, [])
  return steps
}

/** How long ago; the moment itself is told where one points at it. */
export const Ago = ({ of }: { readonly of: string }) => {
  useSteps().value
  return <span title={momentOf(of)}>{agoOf(of)}</span>
}
