import { createHash } from "node:crypto"

export type Field = readonly [
  name: string,
  value: string | { readonly filename: string; readonly bytes: Uint8Array },
]

/** A form with a file in it, as `multipart/form-data`. The same fields give the same bytes. */
export const multipart = (
  fields: ReadonlyArray<Field>,
): { readonly body: Uint8Array; readonly contentType: string } => {
  const digest = createHash("sha256")
  for (const [name, value] of fields)
    digest.update(name).update(typeof value === "string" ? value : value.bytes)
  const boundary = `earmark-${digest.digest("hex").slice(0, 32)}`
  const parts = fields.flatMap(([name, value]) => {
    const isText = typeof value === "string"
    const file = isText ? "" : `; filename="${value.filename}"\r\nContent-Type: audio/wav`
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`
    return [Buffer.from(head), isText ? Buffer.from(value) : value.bytes, Buffer.from("\r\n")]
  })
  return {
    body: Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]),
    contentType: `multipart/form-data; boundary=${boundary}`,
  }
}
