import {
  defineEmail,
  formalEmailGreeting,
  SECRET_LINK_PLACEHOLDER,
  sanitiseNameForEmail,
} from '#kernel/system-email.ts'
import { preventAutolinking } from '#kernel/text/break-links.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'

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

interface SharedPackFacts extends SharedDocumentFacts {
  /** Name of the recipient. */
  readonly person: string
  /** Last day on which the link is valid, such as `2026-03-12`. */
  readonly until: string
}

/** E-mail with a secret link, by which the recipient reads a pack and answers whether it is accepted. */
export const sharedPackEmail = defineEmail<SharedPackFacts>({
  name: 'pack.shared',
  title: 'RAMS pack sent by link, to be accepted or rejected',
  confidential: true,
  subject: ({ company, title }) => `${preventAutolinking(company)} asks you to accept ${preventAutolinking(title)}`,
  paragraphs: ({ person, sender, company, noun, title, message, until }) => {
    const [name, firm] = [sanitiseNameForEmail(sender), sanitiseNameForEmail(company)]
    return [
      formalEmailGreeting(person),
      `${name}${firm ? ` (${firm})` : ''} has sent you the ${noun} "${preventAutolinking(title)}".`,
      message && `${name} writes:`,
      message,
      `Please read it with this link, and accept or reject it there. You don’t need to sign in:\n${SECRET_LINK_PLACEHOLDER}`,
      `The link is for you only and is valid until ${formatIsoDateAsUk(until)}.`,
    ]
  },
  sample: {
    person: 'Ann Carter',
    sender: 'Sam Taylor',
    company: 'Acme Ltd',
    noun: 'RAMS pack',
    title: 'RAMS-00012, revision 1: Re-roofing Unit 4',
    message: 'Please tell us by Friday whether you accept this pack.',
    until: '2026-04-20',
  },
})

/** Message that the form suggests for a pack. */
export const suggestedPackMessage = (noun: string): string =>
  `Please read this ${noun} before the work starts, and tell us with the link below whether you accept it.`
