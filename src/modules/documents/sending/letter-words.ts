import { defineEmail, sanitiseNameForEmail } from '#kernel/system-email.ts'
import { preventAutolinking } from '#kernel/text/break-links.ts'

/** Noun for several documents in one file. */
export const PACK_NOUN = 'document pack'

interface SharedDocumentFacts {
  readonly sender: string
  readonly company: string
  readonly noun: string
  readonly title: string
  /** The sender's message, which may be empty. */
  readonly message: string
}

/**
 * E-mail with a document. The sender is named first, and the sender's message below is marked as such, because the
 * e-mail comes from the provider's address and must not appear to be written by the provider.
 */
export const sharedDocumentEmail = defineEmail<SharedDocumentFacts>({
  name: 'document',
  title: 'Document or document pack sent by a user',
  subject: ({ title }) => preventAutolinking(title),
  paragraphs: ({ sender, company, noun, title, message }) => {
    const [name, firm] = [sanitiseNameForEmail(sender), sanitiseNameForEmail(company)]
    return [
      `${name}${firm ? ` (${firm})` : ''} has sent you the ${noun} "${preventAutolinking(title)}". It is attached as a PDF file.`,
      message && `${name} writes:`,
      message,
    ]
  },
  sample: {
    sender: 'Sam Taylor',
    company: 'Acme Ltd',
    noun: 'risk assessment',
    title: 'RA-00012 Work at height',
    message: 'Please read this before you start on Monday.',
  },
})
