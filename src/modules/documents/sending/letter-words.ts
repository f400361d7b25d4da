/** Noun for several documents in one file. */
export const PACK_NOUN = 'document pack'

interface SharedDocumentLetter {
  readonly sender: string
  readonly company: string
  readonly noun: string
  readonly title: string
  /** The sender's message, which may be empty. */
  readonly message: string
}

/**
 * Text of the e-mail with a document. The sender comes first, and their message is below and marked as theirs, because
 * the e-mail comes from the provider's address and must not speak in its name.
 */
export const shareEmailText = ({ sender, company, noun, title, message }: SharedDocumentLetter): string =>
  [
    `${sender}${company ? ` (${company})` : ''} has sent you the ${noun} "${title}". It is attached as a PDF file.`,
    ...(message ? [`${sender} writes:`, message] : []),
  ].join('\n\n')
