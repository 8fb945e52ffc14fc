import { Client } from "pg"

/** Moves the one clock of a store on Postgres, from outside; it stands still from the first call on. */
export const databaseClock = async (url: string) => {
  const client = new Client({ connectionString: url })
  await client.connect()
  const now = async (): Promise<number> => {
    const { rows } = await client.query<{ readonly now: Date }>("SELECT earmark_now() AS now")
    return rows[0]?.now.getTime() ?? 0
  }
  const advance = async (milliseconds: number) => {
    const next = new Date((await now()) + milliseconds).toISOString()
    await client.query(
      `CREATE OR REPLACE FUNCTION earmark_now() RETURNS timestamptz LANGUAGE sql STABLE AS $$ SELECT '${next}'::timestamptz $$`,
    )
  }
  return { now, advance, end: () => client.end() }
}
