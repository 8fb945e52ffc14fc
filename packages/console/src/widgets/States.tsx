/** What a page shows when there is nothing, not yet anything, or an error. */
import type { ComponentChildren } from "preact"
import type { Loaded } from "../cache.js"
import { words } from "../words.js"
import { Button } from "./Button.js"
import { Icon, Mark } from "./Icon.js"

interface EmptyProps {
  readonly title: string
  readonly text?: string
  /** It is all there is on the page. */
  readonly isPage?: boolean
  readonly children?: ComponentChildren
}

export const Empty = ({ title, text, isPage = false, children }: EmptyProps) => (
  <div class="empty">
    <Mark />
    {isPage ? <h1>{title}</h1> : <h2>{title}</h2>}
    {text !== undefined && <p>{text}</p>}
    {children}
  </div>
)

export const Loading = () => (
  <div class="loading" role="status">
    <span class="hidden">{words.app.loading}</span>
    <i />
    <i />
    <i />
  </div>
)

interface FailureProps {
  readonly text: string
  readonly onRetry?: (() => void) | undefined
}

export const Failure = ({ text, onRetry }: FailureProps) => (
  <div class="notice bad" role="alert">
    <Icon name="warning" />
    <p>{text}</p>
    {onRetry !== undefined && <Button onClick={onRetry}>{words.app.retry}</Button>}
  </div>
)

interface NoticeProps {
  readonly kind?: "good" | "warn"
  readonly children: ComponentChildren
}

export const Notice = ({ kind, children }: NoticeProps) => (
  <div class={`notice ${kind ?? ""}`} role="status">
    <div>{children}</div>
  </div>
)

interface NotOpenedProps {
  readonly of: Loaded<unknown>
  readonly title: string
  /** The link to where one can go from here. */
  readonly children: ComponentChildren
}

/** What a page is about is not there, or did not come. */
export const NotOpened = ({ of, title, children }: NotOpenedProps) => (
  <Empty isPage title={title} text={of.error ?? ""}>
    <div class="actions">
      <Button onClick={of.reload}>{words.app.retry}</Button>
      {children}
    </div>
  </Empty>
)

interface LoadedViewProps<Value> {
  readonly of: Loaded<Value>
  readonly children: (value: Value) => ComponentChildren
}

/** The value once it is there; before that a sign of work, and above it what went wrong. */
export const LoadedView = <Value,>({ of, children }: LoadedViewProps<Value>) => (
  <>
    {of.error !== undefined && <Failure text={of.error} onRetry={of.reload} />}
    {of.value === undefined ? of.error === undefined && <Loading /> : children(of.value)}
  </>
)
