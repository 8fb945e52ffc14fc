import * as OpenApi from "@effect/platform/OpenApi"

/** What people read about an operation. */
export const about = ({
  summary,
  description,
}: {
  readonly summary: string
  readonly description?: string
}) => OpenApi.annotations({ summary, ...(description !== undefined && { description }) })
