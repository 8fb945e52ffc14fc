import type { ComponentProps } from "preact"
import { useLayoutEffect, useRef } from "preact/hooks"

type TextInputProps = Omit<ComponentProps<"input">, "value" | "ref"> & { readonly value: string }

/** A field that is typed in: it keeps what was typed when the page is drawn anew, until it is given another value. */
export const TextInput = ({ value, ...facts }: TextInputProps) => {
  const input = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    // A blank that is being typed is no other value.
    if (input.current !== null && input.current.value.trim() !== value) input.current.value = value
  }, [value])
  return <input {...facts} ref={input} />
}
