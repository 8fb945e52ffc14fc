import { useSignal } from "@preact/signals"
import type { ComponentType } from "preact"
import { useEffect } from "preact/hooks"

/** A component whose code is loaded once it is needed; null until it is there. */
export const useLater = <Props>(
  load: () => Promise<ComponentType<Props>>,
): { readonly Component: ComponentType<Props> } | "failed" | null => {
  const shown = useSignal<{ readonly Component: ComponentType<Props> } | "failed" | null>(null)
  useEffect(() => {
    load().then(
      (Component) => {
        shown.value = { Component }
      },
      () => {
        shown.value = "failed"
      },
    )
  }, [])
  return shown.value
}
