import { hash } from 'node:crypto'
import { problem, violation } from '#kernel/errors.ts'
import { idFromResourceIri } from '#kernel/iri.ts'
import type { RowOf } from '#kernel/resource.ts'
import { authorOf } from '#kernel/roles.ts'
import { composeEmail } from '#kernel/system-email.ts'
import { toText } from '#kernel/text.ts'
import { isEmail, listUniqueEmailAddresses, MAX_EMAIL_LENGTH } from '#kernel/validate.ts'
import { readLetterhead } from '#modules/portal/letterhead/letterhead.server.ts'
import { consumeRecipientAllowance, storeAttachment } from '#modules/portal/mail/claim.server.ts'
import { emailRequested } from '#modules/portal/mail/letter.ts'
import { feature } from '#server/engine/module.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import type { Context } from '#server/engine/types.ts'
import { sealDocumentEvent } from '../audit-chain/check.server.ts'
import { assertDocumentShareable, assertPackShareable, loadOrRenderPackPdf } from '../packs/finish-pack.server.ts'
import { loadPackContents, packOwnerId, packTitle } from '../packs/pack-contents.server.ts'
import { parseDocumentIds } from '../packs/pack-run.server.ts'
import { pdfFileName } from '../printing/file-name.ts'
import { loadOrRenderDocumentPdf } from '../printing/print.server.ts'
import { ANY_DOCUMENT_AUTHOR_ROLES, DOCUMENT_PACKS } from '../rights.ts'
import { documentSending, documentSendingMailSubject } from '../types/document.ts'
import type { DocumentKind } from '../types/kind.ts'
import { documentRecordTitle } from '../types/kind.ts'
import { PACK_NOUN, sharedDocumentEmail } from './letter-words.ts'

/** Attachment of an e-mail, with the IDs of the documents in it. */
interface EmailAttachment {
  readonly pdf: Buffer
  readonly fileName: string
  /** Noun for the attachment in the e-mail. */
  readonly noun: string
  readonly title: string
  /** IDs of the company's own documents in the attachment. */
  readonly documents: readonly number[]
}

/**
 * Loads the document or pack that a request asks to send. Throws 422 if the request names neither, and 409 if the
 * document or pack must not leave the company.
 */
async function readEmailAttachment(c: RouteContext, kinds: readonly DocumentKind[]): Promise<EmailAttachment> {
  const { document: iri, documents, deep } = c.body
  if (documents !== undefined) return packParcel(c, kinds, { ids: parseDocumentIds(documents), deep: deep === true })
  const kind = kinds.find((k) => idFromResourceIri(k.resource, iri) !== undefined)
  const id = kind && idFromResourceIri(kind.resource, iri)
  if (!kind || id === undefined) throw problem.invalid([violation('document', 'Please choose the document to send')])
  return deep === true ? packParcel(c, kinds, { ids: [id], deep }) : paperParcel(c, kind, id)
}

async function paperParcel(c: RouteContext, kind: DocumentKind, id: number): Promise<EmailAttachment> {
  assertDocumentShareable(c.me, kind, await c.engine.one(kind.resource, c.actor, id), `This ${kind.noun}`)
  const { pdf, record, fileName } = await loadOrRenderDocumentPdf(c.engine, kind, c, id)
  const title = `${record.documentNumber} ${documentRecordTitle(kind, record)}`
  return { pdf, fileName, noun: kind.noun, title, documents: [id] }
}

/**
 * Builds a pack to send. The selected documents must be the company's own; provider documents can only accompany them.
 */
async function packParcel(
  c: RouteContext,
  kinds: readonly DocumentKind[],
  asked: { readonly ids: readonly number[]; readonly deep: boolean },
): Promise<EmailAttachment> {
  const contents = await loadPackContents(c.engine, kinds, c.me, asked)
  const { documents } = contents
  const [first] = documents
  if (!first) throw problem.notFound()
  const own = assertPackShareable(c.me, contents, asked.ids)
  const title = packTitle(first, documents.length - 1)
  const pdf = await loadOrRenderPackPdf(c.engine, c.me, contents, { title, clientId: packOwnerId(documents) })
  return {
    pdf,
    fileName: pdfFileName(`Pack ${title}`),
    noun: PACK_NOUN,
    title,
    documents: own.map(({ record }) => record.id),
  }
}

/** Maximum attachment size, because many mail servers reject larger attachments. */
const MAX_ATTACHMENT_BYTES = 15 * 1024 * 1024

/**
 * Creates the route `POST document/send` `{document, to, message?}`, which e-mails the PDF. `to` is one address, or
 * several addresses separated by commas. With `deep`, sends a pack with all references; with `documents`, sends a pack
 * of these documents.
 */
const sendDocumentRoute = (kinds: readonly DocumentKind[]): Route => ({
  method: 'POST',
  path: '/api/safety/document/send',
  title: 'E-mail a document, or a pack of several, as a PDF',
  allow: ANY_DOCUMENT_AUTHOR_ROLES,
  refuses: [413],
  handle: async (c) => {
    const { to, message = '' } = c.body
    const addresses = readAddresses(to)
    if (typeof message !== 'string' || message.length > 5000)
      throw problem.invalid([violation('message', 'The message can have at most 5,000 characters')])
    const { pdf, fileName, noun, title, documents } = await readEmailAttachment(c, kinds)
    if (pdf.length > MAX_ATTACHMENT_BYTES)
      throw problem.conflict('The PDF is too large to e-mail. Download it, or remove some pictures.')
    const {
      client: { name: company },
    } = await readLetterhead(c.engine, c.me.clientId)
    return c.engine.inTenant(c.me.clientId, c.change(), async (unit) => {
      await consumeRecipientAllowance(unit, addresses.length)
      const attached = await storeAttachment(unit, { filename: fileName, contentType: 'application/pdf', bytes: pdf })
      const email = composeEmail(sharedDocumentEmail, {
        sender: c.me.name,
        company,
        noun,
        title,
        message: message.trim(),
      })
      const checksum = hash('sha256', pdf, 'hex')
      for (const to of addresses)
        await unit.emit(emailRequested, {
          to,
          ...email,
          about: documentSendingMailSubject(checksum),
          author: authorOf(c.me).username,
          attachments: [attached],
        })
      for (const document of documents)
        await logDocumentSending(unit, {
          document,
          addresses,
          message: message.trim(),
          checksum,
          sentAt: unit.now.toString(),
        })
      return () => ({ sent: addresses, document: c.body.document })
    })
  },
})

/** Recipients, time and checksum of a sent document. */
type DocumentSendingRow = Pick<
  RowOf<typeof documentSending>,
  'document' | 'addresses' | 'message' | 'checksum' | 'sentAt'
>

/** Records that a document was sent, both in the sending log and in the audit chain. */
export async function logDocumentSending(unit: Context, sent: DocumentSendingRow): Promise<void> {
  const written = await unit.withoutPermissionCheck('log that a document was sent').create(documentSending, sent)
  await sealDocumentEvent(unit, 'sent', sent.document, { added: written })
}

/** Maximum number of addresses in a request before repeated and empty ones are left out. */
const MAX_GIVEN_ADDRESSES = 1000

/**
 * Parses e-mail addresses from a list, or from a string in which they are separated by commas or semicolons. Throws 422
 * if an address is invalid, or if there are no addresses or more than 20.
 */
function readAddresses(to: unknown): string[] {
  const refuse = (message: string) => problem.invalid([violation('to', message)])
  if (Array.isArray(to) && to.some((address) => typeof address !== 'string'))
    throw refuse('Please enter each e-mail address as text')
  const most = MAX_GIVEN_ADDRESSES + 1
  const given = Array.isArray(to) ? to.slice(0, most).map(toText) : toText(to).split(/[,;]/, most)
  const addresses = listUniqueEmailAddresses(given.map((a) => a.trim()).filter(Boolean))
  if (given.length > MAX_GIVEN_ADDRESSES || addresses.length > 20)
    throw refuse('Please enter at most 20 e-mail addresses')
  if (!addresses.length) throw refuse('Please enter at least one e-mail address')
  const wrong = addresses.find((a) => !isEmail(a))
  if (wrong) throw refuse(`"${wrong.slice(0, MAX_EMAIL_LENGTH)}" is not an e-mail address`)
  return addresses
}

export const documentEmails = (kinds: readonly DocumentKind[]) =>
  feature({
    pack: DOCUMENT_PACKS,
    resources: [documentSending],
    routes: [sendDocumentRoute(kinds)],
    emails: [sharedDocumentEmail],
  })
