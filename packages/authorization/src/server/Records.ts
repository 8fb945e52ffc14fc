/** One record as the authorization server has it. */
export interface KeptRecord {
  readonly payload: Readonly<Record<string, unknown>>
  /** Milliseconds since 1970. */
  readonly expiresAt: number | null
  readonly consumedAt: number | null
}

interface RecordToKeep {
  readonly model: string
  readonly id: string
  readonly payload: Readonly<Record<string, unknown>>
  readonly subject: string | null
  readonly grant: string | null
  readonly uid: string | null
  readonly seconds: number | null
}

/** What the authorization server keeps, as promises. Those of `OAuthRecords`. */
export interface Records {
  readonly save: (record: RecordToKeep) => Promise<void>
  readonly find: (model: string, id: string) => Promise<KeptRecord | null>
  readonly findByUid: (model: string, uid: string) => Promise<KeptRecord | null>
  readonly consume: (model: string, id: string) => Promise<boolean>
  readonly renew: (model: string, id: string, seconds: number) => Promise<void>
  readonly remove: (model: string, id: string) => Promise<void>
  readonly revokeGrant: (grant: string) => Promise<void>
}
