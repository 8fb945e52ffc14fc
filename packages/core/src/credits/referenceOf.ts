/**
 * What stands behind a posting outside the ledger, from its business key: the reference of a grant, `stripe:pi_1` for a payment or
 * a refund. Null where the key names nothing else than the account or the job.
 */
export const referenceOf = ({
  account,
  transaction,
}: {
  readonly account: string
  readonly transaction: string
}): string | null => {
  const [, kind, named = ""] = /^([a-z_]+):(.*)$/s.exec(transaction) ?? []
  if (kind === "topup" || kind === "refund") return named.replace(`operator:${account}:`, "")
  if (kind !== "adjust") return null
  let reference = named
  while (reference.startsWith(`${account}:`)) reference = reference.slice(account.length + 1)
  return reference
}
