/** What several documents are called together. */
export const PACK = 'pack of documents'

interface Sent {
  /** Who sends it, and for which company. */
  readonly sender: string
  readonly company: string
  readonly noun: string
  readonly title: string
  /** The sender's own words; may be none. */
  readonly message: string
}

/**
 * The letter that a document goes with. Who sends what always stands first, and the sender's own words below it as theirs: the
 * letter comes from the provider's address, and must not be able to say anything in its name.
 */
export const letterWords = ({ sender, company, noun, title, message }: Sent): string =>
  [
    `${sender}${company ? ` (${company})` : ''} has sent you the ${noun} "${title}". It is attached as a PDF file.`,
    ...(message ? [`${sender} writes:`, message] : []),
  ].join('\n\n')
