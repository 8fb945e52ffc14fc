const UPLOAD_REF =
  /^uploads\/([a-z0-9_-]{1,64})\/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.([a-z0-9]{1,8})$/i

/** The parts of the `media_ref` of an upload. */
export interface UploadRef {
  readonly account: string
  readonly uuid: string
  readonly extension: string
}

/** Reads `uploads/<account>/<uuid>.<extension>`, whole and exact. Whether the upload exists, and whose it is, is not known here. */
export const parseUploadRef = (text: string): UploadRef | undefined => {
  const [, account, uuid, extension] = UPLOAD_REF.exec(text) ?? []
  return account === undefined || uuid === undefined || extension === undefined
    ? undefined
    : { account, uuid, extension }
}
