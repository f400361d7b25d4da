import { canSeeField, FORBIDDEN_DURING_IMPERSONATION_MESSAGE } from '#kernel/can.ts'
import { problem, violation } from '#kernel/errors.ts'
import { idFromAnyIri, parseId } from '#kernel/iri.ts'
import type { RecordOf, ValuesOf } from '#kernel/resource.ts'
import { iriOf } from '#kernel/resource.ts'
import type { Actor } from '#kernel/roles.ts'
import { createSystemActor, hasRole, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { settleAll } from '#kernel/settle-all.ts'
import { isPersonName, isSamePersonName, signatureDrawingProblem, toStoredSignatureDrawing } from '#kernel/signature.ts'
import { findAccountsByName, findNamesLikeAccounts } from '#modules/identity/people/accounts.server.ts'
import { prepareSql } from '#server/data/values.ts'
import { isoUtcSql } from '#server/db/columns.ts'
import { requireCurrentAccount } from '#server/engine/actor-now.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { confidentialField, logConfidentialRead } from '#server/engine/confidential-reads.ts'
import { feature } from '#server/engine/module.ts'
import { RecordNotAccessibleProblem } from '#server/engine/refusals.ts'
import type { Route } from '#server/engine/route.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { hydraCollection } from '#server/http/list-route.ts'
import { sealDocumentEvent } from '../audit-chain/check.server.ts'
import { readBundleParts, withdrawnPartNames } from '../references/seal-references.server.ts'
import { ANY_DOCUMENT_READER_ROLES, assertDocumentPackActive, DOCUMENT_PACKS, PROXY_SIGNER_ROLES } from '../rights.ts'
import type { CarriedForwardSignature } from '../signoff/carried-signatures.ts'
import { document, signature } from '../types/document.ts'
import type { DocumentKind } from '../types/kind.ts'
import type { FactsLookup } from '../types/kinds.server.ts'
import { documentPartRoutes, loadPartsToSign, partOf, readOpenedParts } from './parts.server.ts'
import { checkReadingProof, isReadingProofAsked, loadReadingQuestions } from './reading-proof.server.ts'

type Listed = Pick<RecordOf<typeof signature>, 'id' | 'method'>

/**
 * Loads a document's signature drawings by signature ID, with the same permissions as opening a single signature
 * record. Logs the access.
 */
export async function readSignatureDrawings(
  engine: Engine,
  actor: Actor,
  clientId: number,
  signatures: readonly Listed[],
): Promise<ReadonlyMap<number, unknown>> {
  const ids = signatures.filter((s) => s.method !== 'typed').map((s) => s.id)
  if (!ids.length) return new Map()
  const { strokes } = signature.fields
  const { shown, signed } = await engine.readIn(clientId, 'print drawn signatures', async (c) => {
    const drawn = (await c.find(signature, { id: ids })).filter((row) => row.strokes !== null)
    const visible = drawn.filter((row) => canSeeField(actor, strokes, row))
    const documents = [...new Set(visible.map((row) => row.document))]
    return { shown: visible, signed: await c.find(document, { id: documents }) }
  })
  const fields = [confidentialField('signatures.strokes', strokes)]
  for (const { id, title } of signed) {
    const read = { clientId, resource: document, id, title, fields }
    await engine.db.tx('system', (tx) => logConfidentialRead(tx, actor, read))
  }
  return new Map(shown.map((row) => [row.id, row.strokes]))
}

/** Name and method of a signature as requested. */
export interface SignatureClaim {
  /** Name of the signatory; empty if the actor signs. */
  readonly name: string
  readonly method: string | null
  /** True for a person without an account who signs on the actor's device. */
  readonly visitor: boolean
  /** ID of another user's account, if that user signs by hand on the actor's device. */
  readonly account?: number | null
}

/** Signatory, and the person who gave the signature, with user IDs. */
export interface Signatory {
  readonly name: string
  readonly user: number | null
  readonly signer: number | null
  readonly visitor: boolean
  /** Name of the person who signed on behalf, or on whose device another person signed. */
  readonly byName: string | null
}

/**
 * Determines the signatory, by the same rule on every route. Users sign for themselves or, with permission, for others;
 * then both names are stored. Attendees of a talk also sign by hand on the presenter's device. A name without an account
 * belongs to a visitor and can't be the same as an account holder's name. Throws 403 or 422 with a message, 401 if the
 * signer's account is retired and 409 if it has changed.
 */
export async function resolveSignatory(
  c: Context,
  { name, method, visitor, account = null }: SignatureClaim,
): Promise<Signatory> {
  const { actor } = c
  if (actor.original) throw problem.forbidden(FORBIDDEN_DURING_IMPERSONATION_MESSAGE, 'in_person')
  await requireCurrentAccount(c)
  const named = name.trim()
  if (method === 'on behalf') return behalfHand(c, named)
  if (account !== null) return deviceHand(c, { name: named, method, account })
  if (visitor) return visitorHand(c, named)
  if (named && !isSamePersonName(named, actor.name)) throw asSomebodyElse(c, named)
  return { name: actor.name, user: actor.userId, signer: actor.userId, visitor: false, byName: null }
}

/** Signature of the holder of a link. It is never that of an account. */
const linkHand = (name: string): Signatory => ({ name, user: null, signer: null, visitor: true, byName: null })

async function behalfHand(c: Context, named: string): Promise<Signatory> {
  const { actor } = c
  if (!hasRole(actor, PROXY_SIGNER_ROLES)) throw problem.forbidden(NOT_FOR_OTHERS)
  if (!isPersonName(named)) throw wrongName('Please enter the name of the person you are signing for')
  const called = (await findAccountsByName(c, [named])).get(named) ?? []
  if (called.length > 1)
    throw wrongName(
      `There are several people called ${named}. Please enter the username of the person you are signing for`,
    )
  const [person] = called
  if (person?.id === actor.userId) throw wrongName('That is you. Please sign for yourself')
  return {
    name: person?.name ?? named,
    user: person?.id ?? null,
    signer: actor.userId,
    visitor: !person,
    byName: actor.name,
  }
}

/** Signature of another user on the actor's device. It must be drawn, because the actor could type any name. */
function deviceHand(
  { actor }: Context,
  { name, method, account }: Pick<SignatureClaim, 'name' | 'method'> & { readonly account: number },
): Signatory {
  if (method !== 'finger')
    throw problem.invalid([
      violation(
        'method',
        `${name} has an account. On your device, they sign by hand. Please ask them to draw their signature`,
      ),
    ])
  return { name, user: account, signer: actor.userId, visitor: false, byName: actor.name }
}

async function visitorHand(c: Context, named: string): Promise<Signatory> {
  if (!isPersonName(named)) throw wrongName('Please enter the name of the person signing')
  if ((await findNamesLikeAccounts(c, [named])).size)
    throw wrongName(
      `${named} has an account here and must sign under it. If this is a visitor with the same name, please add their company`,
    )
  return { name: named, user: null, signer: null, visitor: true, byName: c.actor.name }
}

/** Returns the error message if a visitor with this name has already signed. */
export const alreadySignedMessage = (name: string): string =>
  `${name} has already signed. If this is another person with the same name, please add their company`

const NOT_FOR_OTHERS =
  'You can only sign for yourself. To sign on behalf of others, ask your administrator for permission.'

const asSomebodyElse = ({ actor }: Context, named: string) =>
  hasRole(actor, PROXY_SIGNER_ROLES)
    ? wrongName(
        `You are ${actor.name}. Please choose whether you are signing on behalf of ${named} or ${named} is signing as a visitor`,
      )
    : problem.forbidden(NOT_FOR_OTHERS)

const wrongName = (message: string) => problem.invalid([violation('name', message)])

/**
 * Loads the signatures of earlier revisions that are carried forward to a revision, except those of people who have
 * since signed that revision.
 */
export const readCarriedForwardSignatures = (
  engine: Engine,
  clientId: number,
  id: number,
): Promise<CarriedForwardSignature[]> =>
  engine.db.tx({ clientId }, (tx) =>
    tx.rows<CarriedForwardSignature>(
      `SELECT g.id, h.user_id AS user, g.name, g.method, g.statement, h.revision, t.revision AS "carriedTo", h.why,
         ${isoUtcSql('g.signed_at')} AS "signedAt"
       FROM document t CROSS JOIN LATERAL signatures_carried(t.client_id, t.kind, t.number, t.revision) h
       JOIN signature g ON g.client_id = t.client_id AND g.id = h.signature_id
       WHERE t.client_id = $1 AND t.id = $2 AND (t.change = 'minor' OR signed_by_paper(t.kind)) ORDER BY g.id`,
      [clientId, id],
    ),
  )

/** `GET /api/safety/documents/{id}/carried`: signatures carried forward to a revision. */
const carriedSignaturesRoute: Route = {
  method: 'GET',
  path: `${document.url}/{id}/carried`,
  title: 'List the signatures carried forward to this revision, with reasons',
  allow: ANY_DOCUMENT_READER_ROLES,
  listOf: 'objects',
  handle: async ({ engine, actor, params }) => {
    const id = parseId(params.id)
    if (id === undefined) throw problem.notFound()
    const { client } = await engine.one(document, actor, id)
    const carried = await readCarriedForwardSignatures(engine, idFromAnyIri(client) ?? PROVIDER_CLIENT_ID, id)
    return hydraCollection(carried.map((s) => ({ '@id': iriOf(signature, s.id), '@type': signature.type, ...s })))
  },
}

/** `GET /api/safety/documents/{id}/questions`: what the user has to prove before signing a revision. */
const questionsRoute = (factsOf: FactsLookup): Route => ({
  method: 'GET',
  path: `${document.url}/{id}/questions`,
  title: 'Get the questions that the user answers about this document before signing it',
  allow: ANY_DOCUMENT_READER_ROLES,
  handle: async ({ engine, me, params }) => {
    const id = parseId(params.id)
    if (id === undefined) throw problem.notFound()
    const doc = await engine.one(document, me, id)
    const asked = await isReadingProofAsked(engine.db.read, me, id)
    const found = await engine.readIn(me.clientId, 'ask about a document', (reader) =>
      loadReadingQuestions({ reader, conn: engine.db.read, factsOf }, me, { ...doc, id }),
    )
    return { '@type': 'ReadingQuestions', asked, ...found }
  },
})

/** Rules for signatures: a revision can be signed while in force, once per account, and signatures never change. */
const signatureBehaviour = (kinds: readonly DocumentKind[], factsOf: FactsLookup) =>
  behaviour(signature, {
    lockedRelations: ['document'],
    beforeSave: async (c) => {
      const { values } = c
      if (c.before)
        throw problem.conflict('A signature can’t be changed. You can sign again when the next revision is in force.')
      const { name = '', method = null, visitor = false, strokes } = values
      // Only the holder of a signing link, who has no account, signs as a bearer.
      const byLink = c.actor.kind === 'bearer'
      if (c.work.hasPending(signature.table)) await c.work.flush()
      const [doc, drawing, hand, place, parts, isProofAsked] = await settleAll(
        lockSignable(c, kinds, values.document),
        readDrawing(method, strokes),
        byLink ? linkHand(name) : resolveSignatory(c, { name, method, visitor }),
        nextPlace(c, values.document),
        loadPartsToSign(
          c,
          values.document,
          byLink ? createSystemActor(c.clientId, 'read what is signed by link') : c.actor,
        ),
        !byLink && isReadingProofAsked(c.work.tx, c.actor, values.document ?? 0),
      )
      if (hand.user === null) await refuseSameName(c, doc.id, hand.name)
      const isAsked = isProofAsked && isOwn(hand)
      const isDocumentRead = byLink || isAsked
      return {
        ...hand,
        place,
        opened: await readOpenedParts(
          c,
          doc,
          isDocumentRead ? [partOf(doc, true), ...parts] : parts,
          values.opened ?? [],
        ),
        questions: await checkReadingProof(c, factsOf, doc, { isAsked, given: values.questions ?? [] }),
        byLink,
        strokes: drawing,
        mine: isOwn(hand),
        again: false,
        seal: doc.seal ?? '',
        signedAt: c.now.toString(),
      }
    },
    afterSave: async (c) => {
      const { document: signed } = c.changes
      if (!signed) return
      for (const index of ONCE) c.work.uniqueMessages.set(index, () => signedBefore(c.changes))
      // The document is already locked, so locking it again needs no query.
      await sealDocumentEvent(c, 'signed', signed, { added: c.written, row: await c.lock(document, signed) })
    },
  })

/** Locks the document. Throws 409 if the document can't be signed. */
async function lockSignable(c: Context, kinds: readonly DocumentKind[], id = 0) {
  const doc = await c.lock(document, id).catch((e: unknown) => {
    throw e instanceof RecordNotAccessibleProblem
      ? problem.conflict('Only your own company’s documents can be signed.')
      : e
  })
  assertDocumentPackActive(c.actor, doc.pack)
  if (doc.retired || doc.state === 'rejected' || doc.state === 'replaced')
    throw problem.conflict('This revision is no longer in force. Please sign the current one.')
  if (doc.state !== 'current')
    throw problem.conflict('This revision is not in force yet. You can sign it once it is in force.')
  if (doc.isTemplate) throw problem.conflict('Templates can’t be signed. Create your own document from it first.')
  if (!kinds.some((k) => k.shared && k.kind === doc.kind)) return doc
  // Signing a pack also signs its parts, so none of the parts may be withdrawn.
  const gone = withdrawnPartNames(await readBundleParts(c, doc.id))
  if (gone)
    throw problem.conflict(
      `Part of this pack has been withdrawn: ${gone}. You can sign the pack once it has been reissued.`,
    )
  return doc
}

const NEXT_PLACE = prepareSql(
  'SELECT 1 + coalesce(max(place), 0) FROM signature WHERE client_id = $1::int AND document_id = $2::bigint',
)

/**
 * Returns the next signature position in a revision. The position is queried after the lock, so that it counts the
 * signatures for which the lock waited.
 */
async function nextPlace(c: Context, id = 0): Promise<number> {
  const [[place] = []] = await c.work.tx.arrays(NEXT_PLACE, [c.clientId, id])
  return Number(place)
}

/** Returns the drawing in its stored form. Throws 422 if the drawing is blank or invalid. */
async function readDrawing(method: string | null, strokes: unknown) {
  const wrong = method === 'finger' || strokes ? signatureDrawingProblem(strokes) : undefined
  if (wrong) throw problem.invalid([violation('strokes', wrong)])
  return toStoredSignatureDrawing(method, strokes)
}

const SIGNED_AS = prepareSql(
  `SELECT 1 FROM signature WHERE client_id = $1::int AND document_id = $2::bigint AND user_id IS NULL AND folded_name(name) = folded_name($3::text) LIMIT 1`,
)

/**
 * Throws if a visitor with this name has already signed the locked revision. Another person with the same name can add
 * their company.
 */
async function refuseSameName(c: Context, id: number, name: string): Promise<void> {
  const found = await c.work.tx.arrays(SIGNED_AS, [c.clientId, id, name])
  if (found.length) throw problem.invalid([violation('name', alreadySignedMessage(name), 'duplicate')])
}

const isOwn = ({ user, signer }: Signatory) => user !== null && user === signer

/**
 * Unique indexes that allow each account one signature of its own and one on its behalf per revision, even with
 * concurrent requests.
 */
const ONCE = ['signature_own', 'signature_behalf']

/** Returns the error for a signature that violates one of these indexes. */
function signedBefore({ method, name }: ValuesOf<typeof signature>) {
  const told =
    method === 'on behalf'
      ? `This revision has already been signed on behalf of ${name}`
      : 'You have already signed this revision'
  return problem.invalid([violation('name', `${told}.`, 'duplicate')])
}

export const documentSigning = (kinds: readonly DocumentKind[], factsOf: FactsLookup) =>
  feature({
    pack: DOCUMENT_PACKS,
    behaviours: [signatureBehaviour(kinds, factsOf)],
    routes: [carriedSignaturesRoute, questionsRoute(factsOf), ...documentPartRoutes(kinds)],
  })
