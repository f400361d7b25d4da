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
 * Returns the text of an e-mail with a document. The sender is named first, and the sender's message below is marked as
 * such, because the e-mail comes from the provider's address and must not speak in the provider's name.
 */
export const shareEmailText = ({ sender, company, noun, title, message }: SharedDocumentLetter): string =>
  [
    `${sender}${company ? ` (${company})` : ''} has sent you the ${noun} "${title}". It is attached as a PDF file.`,
    ...(message ? [`${sender} writes:`, message] : []),
  ].join('\n\n')
