import { englishNameOf } from "@earmark/core/text"

const CODE = /^[a-z]{2,3}(?:-[a-z0-9]{2,8}){0,4}$/i

/** How a model knows a language: `German` for `de`. Null for what is no code, which is never repeated in an instruction. */
export const languageName = (code: string | null): string | null => {
  if (code === null || !CODE.test(code)) return null
  const bare = code.split("-").slice(0, 2).join("-")
  return `${englishNameOf(bare) ?? "the language"} (${bare})`
}
