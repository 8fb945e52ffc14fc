/** A field with a list that typing makes shorter: the combobox of the ARIA patterns, for lists that are long. */
import { useSignal } from "@preact/signals"
import { useId, useRef } from "preact/hooks"

export type Option = readonly [value: string, label: string]

interface ComboboxProps {
  /** From the field that it stands in. Without one it needs `label`. */
  readonly facts?: { readonly id: string; readonly "aria-describedby"?: string }
  readonly label?: string
  readonly value: string
  readonly options: ReadonlyArray<Option>
  readonly onChange: (value: string) => void
}

const folded = (text: string): string => text.trim().toLocaleLowerCase()

/** What fits what was typed; those that begin with it first. Everything where nothing was typed. */
const fitting = (options: ReadonlyArray<Option>, typed: string): ReadonlyArray<Option> => {
  const sought = folded(typed)
  const fit = options.filter(([, label]) => folded(label).includes(sought))
  const begins = ([, label]: Option) => folded(label).startsWith(sought)
  return [...fit.filter(begins), ...fit.filter((option) => !begins(option))]
}

export const Combobox = ({ facts, label, value, options, onChange }: ComboboxProps) => {
  const list = useId()
  const field = useRef<HTMLInputElement>(null)
  /** Null where nothing is typed: the field has the name of what is chosen. */
  const typed = useSignal<string | null>(null)
  const isOpen = useSignal(false)
  const active = useSignal(0)
  const shown = fitting(options, typed.value ?? "")
  const name = options.find(([each]) => each === value)?.[1] ?? value
  const close = () => {
    isOpen.value = false
    typed.value = null
  }
  /** What is typed next is in place of the name, also when it is typed at once. */
  const leave = (named = name) => {
    close()
    if (field.current === null) return
    field.current.value = named
    field.current.select()
  }
  const open = () => {
    isOpen.value = true
    active.value = Math.max(
      0,
      shown.findIndex(([each]) => each === value),
    )
  }
  const choose = (option: Option | undefined) => {
    leave(option?.[1])
    if (option !== undefined && option[0] !== value) onChange(option[0])
  }
  const move = (step: number) => {
    if (isOpen.peek()) active.value = (active.peek() + step + shown.length) % Math.max(1, shown.length)
    else open()
  }
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    ...(isOpen.value && { Enter: () => choose(shown[active.peek()]), Escape: () => leave() }),
  }
  return (
    <div class="combobox">
      <input
        {...facts}
        ref={field}
        role="combobox"
        aria-label={label}
        aria-autocomplete="list"
        aria-expanded={isOpen.value}
        aria-controls={list}
        aria-activedescendant={isOpen.value && shown.length > 0 ? `${list}-${active.value}` : undefined}
        autocomplete="off"
        spellcheck={false}
        value={typed.value ?? name}
        onClick={open}
        onInput={({ currentTarget }) => {
          typed.value = currentTarget.value
          isOpen.value = true
          active.value = 0
        }}
        onKeyDown={(event) => {
          const run = event.isComposing ? undefined : keys[event.key]
          if (run === undefined) return
          event.preventDefault()
          event.stopPropagation()
          run()
        }}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onBlur={close}
      />
      <div id={list} role="listbox" aria-label={label ?? name} hidden={!isOpen.value || shown.length === 0}>
        {isOpen.value &&
          shown.map((option, at) => (
            <div
              key={option[0]}
              id={`${list}-${at}`}
              role="option"
              tabIndex={-1}
              aria-selected={option[0] === value}
              data-active={at === active.value}
              ref={(element) => {
                if (at === active.value) element?.scrollIntoView({ block: "nearest" })
              }}
              // The field keeps the focus.
              onMouseDown={(event) => event.preventDefault()}
              onPointerUp={() => choose(option)}
            >
              <bdi>{option[1]}</bdi>
            </div>
          ))}
      </div>
    </div>
  )
}
