import { formatUkDate, type Instant } from '#kernel/time.ts'
import { formatSupplierLines, type Supplier } from '../print/quote-document.ts'

/** Facts used in e-mails about a quote. */
export interface QuoteMailFacts {
  readonly reference: string
  readonly company: string
  readonly contactName: string
  /** Payments in words, such as `£718.80 first, then £82.80 every month, including VAT`. */
  readonly payments: string
  readonly message: string
  readonly expiresAt: Instant | undefined
  readonly provider: string
  /** Seller as stated on the quote. */
  readonly supplier: Supplier | null
  readonly owner: { readonly name: string; readonly telephone: string; readonly email: string }
  /** URL at which the customer reads the quote and accepts or declines it. */
  readonly link: string
}

interface Mail {
  readonly subject: string
  readonly body: string
}

const openingWords = (f: QuoteMailFacts) => `Hello${f.contactName ? ` ${f.contactName}` : ''},`
const closingWords = ({ owner, provider, supplier }: QuoteMailFacts) => {
  const seller = supplier?.name || provider
  const person = ['Kind regards', '', owner.name || seller, owner.telephone, owner.email]
  const firm = [...(owner.name ? [seller] : []), ...(supplier ? formatSupplierLines(supplier) : [])]
  return [person.filter((line, i) => i < 2 || line).join('\n'), firm.join('\n')].filter(Boolean).join('\n\n')
}
const until = (f: QuoteMailFacts) => (f.expiresAt ? ` It is valid until ${formatUkDate(f.expiresAt)}.` : '')
const letter = (f: QuoteMailFacts, ...parts: readonly string[]) =>
  [openingWords(f), ...parts.filter(Boolean), closingWords(f)].join('\n\n')

/** Composes the e-mail with which a quote is sent. The send dialog shows a preview of this e-mail. */
export const quoteMail = (f: QuoteMailFacts): Mail => ({
  subject: `Your quote ${f.reference} from ${f.supplier?.name || f.provider}`,
  body: letter(
    f,
    f.message.trim(),
    `Here is our quote ${f.reference}${f.company ? ` for ${f.company}` : ''}: ${f.payments}.${until(f)}`,
    `Read it here, then accept and sign it or decline it. You don’t need a password:\n\n${f.link}`,
    'Please don’t share this link: anybody who has it can accept the quote for you.',
  ),
})

export const quoteReminderMail = (f: QuoteMailFacts): Mail => ({
  subject: `Your quote ${f.reference}${f.expiresAt ? ` is valid until ${formatUkDate(f.expiresAt)}` : ''}`,
  body: letter(
    f,
    `We are still waiting for your answer to our quote ${f.reference} (${f.payments}).${until(f)}`,
    `Accept and sign it, or decline it, here:\n\n${f.link}`,
    'If you have a question, just reply to this e-mail or call us.',
  ),
})

export const quoteAcceptedMail = (
  f: QuoteMailFacts & { readonly signedBy: string; readonly signedAt: Instant },
): Mail => ({
  subject: `Thank you for accepting quote ${f.reference}`,
  body: letter(
    f,
    `Thank you. ${f.signedBy} accepted and signed quote ${f.reference} on ${formatUkDate(f.signedAt)}: ${f.payments}.`,
    `The signed quote is attached. You can also read it here:\n\n${f.link}`,
    'We will be in touch about what happens next.',
  ),
})
