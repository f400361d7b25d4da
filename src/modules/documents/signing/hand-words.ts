import type { RecordOf } from '#kernel/resource.ts'
import { pinCheckText } from '#kernel/signature.ts'
import { formatCountWithNoun } from '#kernel/text.ts'
import type { OpenedPart, signature } from '../types/document.ts'
import type { DocumentTypeInfo } from '../types/type-info.ts'

type SignatureDetails = Partial<Pick<RecordOf<typeof signature>, 'visitor' | 'byName' | 'user' | 'author'>> & {
  readonly method?: string | null
  /** True if the signatory used a link, without an account. */
  readonly byLink?: boolean
  /** Check of the signer's PIN, if the company required one on another person's device or by link. */
  readonly pinCheck?: string | null
}

const HOW: Readonly<Record<string, string>> = { finger: 'Drawn', typed: 'Typed' }

/**
 * Returns the text beside a signatory's name that states who gave the signature, such as `Signed on behalf by Fay
 * Foreman`.
 */
export function signatureDescription({
  method,
  visitor,
  byName,
  user,
  author,
  byLink,
  pinCheck,
}: SignatureDetails): string {
  const who = visitor ? 'Visitor. ' : ''
  if (method === 'on behalf') return `${who}Signed by ${byName || author || 'somebody else'} on this person’s behalf`
  const how = HOW[method ?? ''] ?? ''
  const pin = pinCheckText(pinCheck)
  const checked = pin && `, ${pin}`
  if (byLink) return `${who}${how} on the signer’s own device, by link${checked}`
  const device = byName || (user ? '' : author)
  return !device ? `${who}${how}` : `${who}${how} on ${device}’s device${checked}`
}

/** Returns the trade and company of a person who signed, such as `Roofer, Ladders Ltd`; empty if neither is stated. */
export const employerOf = ({ trade, company }: { readonly trade?: string | null; readonly company?: string | null }) =>
  [trade, company].filter(Boolean).join(', ')

/**
 * Returns the statement that a signatory confirms: to know the document and to follow it or, for a safety document, to
 * work to it and to stop if that fails.
 */
export const readAndUnderstoodStatement = ({ noun, pack }: Pick<DocumentTypeInfo, 'noun' | 'pack'>): string =>
  pack === 'employees'
    ? `I have read and understood this ${noun} and will follow it.`
    : `I have read and understood this ${noun} and will work to it. I will stop and tell my supervisor if it can’t be followed.`

/** Document or file to which a document refers, directly or through another document. It is read before signing. */
export interface DocumentPart {
  /** IRI of the document or file. */
  readonly '@id': string
  /** Type of the document, as stored; null for a file. */
  readonly kind: string | null
  readonly name: string
  readonly title: string
  /** Type of a file, such as `image/png`; null for a document. */
  readonly type: string | null
  /** True if a newer revision of the document is in force. */
  readonly replaced: boolean
  /** False for a document outside whose audience the user is, and for a deleted file. */
  readonly readable: boolean
  /** Time of the user's earlier signature for which this part was opened; null if there is none. */
  readonly signedAt: string | null
}

/** Returns how much was opened before signing and for how long, such as `Opened 3 documents, 4 minutes`. */
export function describeOpenedParts(opened: readonly OpenedPart[]): string {
  const seconds = opened.reduce((sum, part) => sum + part.seconds, 0)
  const [time = '0 seconds'] =
    seconds < 60 ? formatCountWithNoun(seconds, 'second') : formatCountWithNoun(Math.round(seconds / 60), 'minute')
  return `Opened ${formatCountWithNoun(opened.length, 'document').join('')}, ${time}`
}

/** Maximum lengths in characters of what a person who signs by link enters. */
export const MAX_SIGNATORY_LENGTHS = { name: 90, company: 100, trade: 100 } as const

/** Confirmation of a signature by link. */
export interface LinkSignatureReceipt {
  readonly '@type': 'LinkSignature'
  readonly name: string
  /** ISO 8601 instant. */
  readonly signedAt: string
}
