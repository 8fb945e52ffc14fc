import type { ComponentChildren } from "preact"
import { Icon, type IconName } from "./Icon.js"

interface ButtonProps {
  readonly kind?: "primary" | "quiet" | "danger"
  readonly icon?: IconName
  readonly type?: "button" | "submit"
  readonly disabled?: boolean
  readonly isBusy?: boolean
  readonly label?: string
  readonly pressed?: boolean
  /** What has the focus keeps it when this is pressed with a pointer, and the caret its place. */
  readonly keepsFocus?: boolean
  readonly onClick?: (() => void) | undefined
  readonly children?: ComponentChildren
}

/** A button. While it is busy it keeps its place, and does nothing. */
export const Button = ({
  kind,
  icon,
  type = "button",
  isBusy = false,
  disabled = false,
  label,
  pressed,
  keepsFocus = false,
  onClick,
  children,
}: ButtonProps) => (
  <button
    type={type}
    class={`button ${kind ?? ""}${children === undefined ? " bare" : ""}`}
    disabled={disabled}
    aria-disabled={isBusy}
    aria-label={label}
    aria-pressed={pressed}
    title={children === undefined ? label : undefined}
    {...(keepsFocus && { onMouseDown: (event: Event) => event.preventDefault() })}
    onClick={() => {
      if (!isBusy) onClick?.()
    }}
  >
    {icon !== undefined && <Icon name={icon} />}
    {children !== undefined && <span>{children}</span>}
  </button>
)
