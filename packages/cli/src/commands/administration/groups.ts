/** Commands about a service and its store: what they are called and do. The rest of them is loaded when one is named. */
export const groups = {
  login: "Keep the address and the key of a service, and use it.",
  config: "Look after the services that earmark login keeps.",
  jobs: "List, show, retry and delete transcriptions, of a service or of this machine.",
  export: "Write a finished transcript as captions, text, JSON, HTML or Word.",
  search: "Find what was said, in one transcript or in all of them.",
  upload: "Move media to a service, to transcribe it there.",
  webhooks: "Tell other programs when transcriptions end.",
  usage: "Show what was used, by day, month or key.",
  accounts: "Make and look at accounts, and the apps that they let in.",
  keys: "Make, list and revoke API keys.",
  credits: "Look at balances, ledgers and purchases, and give minutes.",
  backup: "Write the store to a file: accounts, transcriptions, credits and webhooks.",
  restore: "Make an empty store what it was in a backup.",
  migrate: "Bring the store up to date with this version of Earmark.",
} as const
