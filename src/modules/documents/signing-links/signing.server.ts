import { isDeepStrictEqual } from 'node:util'
import { Problem, problem, violation } from '#kernel/errors.ts'
import type { RowOf } from '#kernel/resource.ts'
import { isPersonName, signatureDrawingProblem, toStoredSignatureDrawing } from '#kernel/signature.ts'
import { londonDate } from '#kernel/time.ts'
import { client } from '#modules/portal/clients/client.ts'
import { findPackState } from '#modules/portal/packs/routes.server.ts'
import { type CountedAttempt, GuessRevealingProblem } from '#server/auth/attempts.ts'
import { openSecretLink } from '#server/engine/secret-links.ts'
import type { Context, Engine, RecordReader } from '#server/engine/types.ts'
import { readBundleParts, withdrawnPartNames } from '../references/seal-references.server.ts'
import { assertNamesWithoutAccount } from '../sharing/link-attempts.server.ts'
import { type LinkSignatureReceipt, readAndUnderstoodStatement } from '../signing/hand-words.ts'
import { limitReadingTimes } from '../signing/parts.server.ts'
import { alreadySignedMessage } from '../signing/signing.server.ts'
import { document, type OpenedPart, signature } from '../types/document.ts'
import type { DocumentKind } from '../types/kind.ts'
import { assertSameEmployer } from './links.server.ts'
import { MAX_LINK_SIGNATURES, signingLink } from './signing-link.ts'

type Link = RowOf<typeof signingLink>
type Document = RowOf<typeof document>

/** A resolved link with the revision in force of its document. */
export interface FollowedSigningLink {
  readonly clientId: number
  readonly company: string
  readonly link: Link
  /** Undefined if no revision is in force. */
  readonly document: Document | undefined
  /** Documents to which it refers. */
  readonly papers: readonly Document[]
  /** Reason why the document can't be signed with this link; empty if it can. */
  readonly sentence: string
}

type Reading = Pick<RecordReader, 'get' | 'find'>

/** Loads the revision in force, and the reason why the link no longer works. Returns undefined if the company has left. */
async function readLinked(
  c: Reading,
  engine: Engine,
  clientId: number,
  link: Link,
): Promise<FollowedSigningLink | undefined> {
  const called = await c.get(client, clientId)
  if (!called || called.retired) return undefined
  const { company } = called
  const { kind, documentNumber } = link
  const found = await c.find(document, { kind, documentNumber, current: true })
  const current = found.find((one) => one.clientId === clientId && !one.retired)
  const papers = current ? await readBundleParts(c as RecordReader, current.id) : []
  const isActive = (await findPackState(c as RecordReader, clientId, current?.pack ?? 'safety')) === 'active'
  const today = londonDate(engine.clock.now()).toString()
  const sentence = refusalFor({ company, link, document: current, papers }, isActive, today)
  return { clientId, company, link, document: current, papers, sentence }
}

/** Returns the reason why the document can't be signed with this link; an empty string if it can. */
function refusalFor(
  { company, link, document: current, papers }: Pick<FollowedSigningLink, 'company' | 'link' | 'document' | 'papers'>,
  isActive: boolean,
  today: string,
): string {
  const ask = `Please ask ${company} for a new link.`
  if (link.withdrawnAt) return `${company} has withdrawn this link. ${ask}`
  if (link.until < today) return `This link has expired. ${ask}`
  if (!isActive) return `${company} can’t receive signatures here at the moment. Please sign on paper.`
  if (!current)
    return `${company} has withdrawn ${link.documentNumber}: do not work from a copy of it. Please ask ${company} which document applies.`
  const gone = withdrawnPartNames(papers)
  if (gone)
    return `${company} has withdrawn part of this document (${gone}), so it can’t be signed at the moment. Please ask ${company} which revision applies.`
  if (link.signed >= MAX_LINK_SIGNATURES)
    return `This link has been used for ${MAX_LINK_SIGNATURES} signatures, which is the maximum. ${ask}`
  return ''
}

/** Resolves a link. Throws 404, without details, if the link is unknown or its company has left. */
export const resolveSigningLink = (engine: Engine, token: string | undefined): Promise<FollowedSigningLink> =>
  openSecretLink(engine, token, 'open the signing link of a document', async (c, { clientId, id, hasHash }) => {
    const link = await c.get(signingLink, id)
    return link && hasHash(link.hash) ? readLinked(c, engine, clientId, link) : undefined
  })

/** Signature as sent by the holder of a link. */
export interface LinkSignatureInput {
  readonly name: string
  readonly company: string
  readonly trade: string
  readonly strokes: unknown
  readonly document: number
  readonly opened: readonly OpenedPart[]
}

/** Validates a signature without the document. Throws 422. */
function readDrawing({ name, strokes }: LinkSignatureInput) {
  const blank = signatureDrawingProblem(strokes, true)
  const wrong = [
    ...(isPersonName(name) ? [] : [violation('name', 'Please enter your full name')]),
    ...(blank ? [violation('strokes', blank)] : []),
  ]
  if (wrong.length) throw problem.invalid(wrong)
  return toStoredSignatureDrawing('finger', strokes)
}

/**
 * Saves a signature by link on the revision in force and seals it with the revision. A request that is repeated with the
 * same content has no further effect. Throws 410 if the link no longer works, 409 if another revision was read or the
 * same drawing was sent with another company or trade, and 422 if a part was not read, a person of the same name has
 * signed or the name is that of an account.
 */
export async function saveLinkSignature(
  c: Context,
  opened: FollowedSigningLink,
  given: LinkSignatureInput,
  { kinds, tried }: { readonly kinds: readonly DocumentKind[]; readonly tried: CountedAttempt },
): Promise<() => Promise<LinkSignatureReceipt>> {
  const strokes = readDrawing(given)
  const { name, company, trade } = given
  // The document is locked first, as for all signatures, so that it can't be replaced in between.
  if (opened.document) await c.lock(document, opened.document.id)
  const link = await c.lock(signingLink, opened.link.id)
  // An earlier revision may have been signed before the answer was lost.
  const read = await c.get(document, given.document)
  const isOfLink =
    read?.kind === link.kind && read.documentNumber === link.documentNumber && read.clientId === c.clientId
  const repeated = isOfLink ? await findSameName(c, read.id, name) : undefined
  if (repeated?.byLink && isDeepStrictEqual(repeated.strokes, strokes)) {
    assertSameEmployer(repeated, given)
    return async () => receiptOf(repeated)
  }
  const linked = await readLinked(c, c.engine, c.clientId, link)
  if (!linked) throw problem.notFound()
  if (linked.sentence || !linked.document) throw new Problem(410, linked.sentence)
  if (given.document !== linked.document.id) {
    const { documentNumber, revision } = linked.document
    throw problem.conflict(
      `${documentNumber} revision ${revision} has come into force since you opened this page. Please reload the page, read it and sign it.`,
    )
  }
  if (repeated)
    throw new GuessRevealingProblem(
      problem.invalid([violation('name', alreadySignedMessage(name), 'duplicate')]),
      tried,
    )
  const kind = kinds.find((one) => one.kind === linked.document?.kind)
  if (!kind) throw problem.notFound()
  await assertNamesWithoutAccount(c, new Map([['name', name]]), NAME_KNOWN, tried)
  const written = await c.withoutPermissionCheck('sign as the holder of a link').create(signature, {
    document: linked.document.id,
    name,
    company,
    trade,
    method: 'finger',
    strokes,
    statement: readAndUnderstoodStatement(kind),
    opened: limitReadingTimes(given.opened, link.createdAt, c),
  })
  await c.set(signingLink, link, { signed: link.signed + 1 }, 'sign')
  return async () => receiptOf(await written.saved())
}

const NAME_KNOWN =
  'Somebody with this name has an account. If that is you, sign in and sign the document there. If you are a different person, add your company after your name'

const receiptOf = ({ name, signedAt }: Pick<RowOf<typeof signature>, 'name' | 'signedAt'>): LinkSignatureReceipt => ({
  '@type': 'LinkSignature',
  name: name ?? '',
  signedAt,
})

/** Finds the signature of a person without an account who has the same name. */
async function findSameName(c: Context, id: number, name: string) {
  const [found] = await c.work.tx.rows<{ id: number }>(
    'SELECT id FROM signature WHERE client_id = $1 AND document_id = $2 AND user_id IS NULL AND folded_name(name) = folded_name($3) LIMIT 1',
    [c.clientId, id, name],
  )
  return found && c.get(signature, Number(found.id))
}
