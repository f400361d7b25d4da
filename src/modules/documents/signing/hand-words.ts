import type { RecordOf } from '#kernel/resource.ts'
import type { signature } from '../types/document.ts'

type SignatureDetails = Partial<Pick<RecordOf<typeof signature>, 'visitor' | 'byName' | 'user' | 'author'>> & {
  readonly method?: string | null
}

const HOW: Readonly<Record<string, string>> = { finger: 'Drawn', typed: 'Typed' }

/**
 * Returns the text beside a signatory's name that states who gave the signature, such as `Signed on behalf by Fay
 * Foreman`.
 */
export function signatureDescription({ method, visitor, byName, user, author }: SignatureDetails): string {
  const who = visitor ? 'Visitor. ' : ''
  if (method === 'on behalf') return `${who}Signed by ${byName || author || 'somebody else'} on this person’s behalf`
  const how = HOW[method ?? ''] ?? ''
  const device = byName || (user ? '' : author)
  return !device ? `${who}${how}` : `${who}${how} on ${device}’s device`
}

/** Returns the statement that a signatory confirms: to know the document, to work to it, and to stop if that fails. */
export const readAndUnderstoodStatement = ({ noun }: { readonly noun: string }): string =>
  `I have read and understood this ${noun} and will work to it. I will stop and tell my supervisor if it can’t be followed.`
