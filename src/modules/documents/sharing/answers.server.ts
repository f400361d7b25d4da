import { Problem, problem, type Violation, violation } from '#kernel/errors.ts'
import { choice, integer, longText, text, typedJson } from '#kernel/fields.ts'
import { idFromAnyIri } from '#kernel/iri.ts'
import type { RowOf } from '#kernel/resource.ts'
import { isPersonName, isSamePersonName } from '#kernel/signature.ts'
import { removeInvisibleCharacters } from '#kernel/text.ts'
import { londonDate } from '#kernel/time.ts'
import { user } from '#modules/identity/people/user.ts'
import { notifyUsers } from '#modules/portal/notices/notify.server.ts'
import { declareNotificationType } from '#server/engine/module.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import { routeWithInput } from '#server/engine/route-input.ts'
import { createSecretLink } from '#server/engine/secret-links.ts'
import type { Context, Engine, RecordReader } from '#server/engine/types.ts'
import { sealDocumentEvent } from '../audit-chain/check.server.ts'
import { DOCUMENT_AUTHOR_ROLES } from '../rights.ts'
import { limitReadingTimes, loadPartsToSign, readOpenedParts } from '../signing/parts.server.ts'
import { document, type OpenedPart } from '../types/document.ts'
import { type DocumentKind, documentName, documentNotificationPath } from '../types/kind.ts'
import {
  type Followed,
  isOpenLink,
  readerFor,
  refusalFor,
  resolvePackLink,
  runAsLinkHolder,
} from './email-links.server.ts'
import { assertNamesWithoutAccount, countLinkAttempt } from './link-attempts.server.ts'
import {
  type GivenPackAnswer,
  MAX_ANSWER_COMMENT_LENGTH,
  MAX_LINK_TEXT_LENGTHS,
  type OwnPackAnswer,
  PACK_DECISIONS,
  packAnswer,
  packLink,
} from './pack-link.ts'
import { linkReadingRoutes } from './reading.server.ts'

const AT = '/api/safety/shared_packs/{token}'

/** Loads the answers given by a link, latest first. */
export async function loadOwnAnswers(c: RecordReader, linkId: number): Promise<OwnPackAnswer[]> {
  const found = await c.find(packAnswer, { link: linkId })
  return found
    .toSorted((a, b) => b.place - a.place)
    .map(({ decision, name, company, position, comment, revision, answeredAt }) => ({
      decision,
      name,
      company,
      position,
      comment,
      revision,
      answeredAt,
    }))
}

/** Resolves a link that still opens its pack. Throws 410 with the reason if it doesn't. */
async function resolveOpenLink(c: RouteContext): Promise<Followed> {
  const followed = await resolvePackLink(c.engine, c.params.token)
  if (followed.sentence) throw new Problem(410, followed.sentence)
  return followed
}

/** Declares the notification that a recipient has answered. */
export const packAnsweredNotice = (kinds: readonly DocumentKind[]) =>
  declareNotificationType({
    kind: 'pack.answered',
    label: 'RAMS packs accepted or rejected by recipients',
    for: DOCUMENT_AUTHOR_ROLES,
    icon: 'clipboard',
    of: packAnswer,
    words: ({ name, company, decision, document: pack }) =>
      `${company || name} has ${decision === 'rejected' ? 'rejected' : decision} ${documentName(pack)}`,
    path: ({ document: pack }) => documentNotificationPath(kinds, pack.kind, idFromAnyIri(pack['@id'])),
    mail: true,
  })

type PackAnsweredNotice = ReturnType<typeof packAnsweredNotice>

/** Loads the pack as the holder of its link sees it. */
type ShowPack = (engine: Engine, token: string | undefined) => Promise<object>

const ANSWER = {
  decision: choice(PACK_DECISIONS, { required: 'Please choose whether you accept the pack' }),
  name: text({
    required: 'Please enter your name',
    max: MAX_LINK_TEXT_LENGTHS.name,
    stripInvisible: true,
    label: 'Name',
  }),
  company: text({
    required: 'Please enter your company',
    max: MAX_LINK_TEXT_LENGTHS.company,
    stripInvisible: true,
    label: 'Company',
  }),
  position: text({
    required: 'Please enter your position',
    max: MAX_LINK_TEXT_LENGTHS.position,
    stripInvisible: true,
    label: 'Position',
  }),
  comment: longText({ default: '', max: MAX_ANSWER_COMMENT_LENGTH, stripInvisible: true, label: 'Comment' }),
  opened: typedJson<readonly OpenedPart[]>()({ default: [] }),
  /** Number of answers given by the link when the holder opened the page. */
  after: integer({ default: 0 }),
} as const

/** Throws 409 if another answer was given by the link since its holder opened the page. */
async function assertLatest(c: Context, linkId: number, after: number): Promise<void> {
  const given = await c.find(packAnswer, { link: linkId })
  if (given.length !== after)
    throw problem.conflict('Somebody has answered with this link since you opened this page. Please reload it.')
}

/**
 * Action that saves the answer of the holder of a link, seals it with the revision, and notifies the person who shared the
 * pack.
 */
export const answerAction =
  (notice: PackAnsweredNotice) =>
  async (c: Context & { readonly row: RowOf<typeof packLink>; readonly input: { readonly given: unknown } }) => {
    const { row } = c
    const { name, company, position, comment, ...given } = c.input.given as GivenPackAnswer
    const read = await c.lock(document, row.document)
    const before = await c.find(packAnswer, { document: read.id })
    const written = await c.withoutPermissionCheck('save the answer of the holder of a link').create(packAnswer, {
      ...given,
      link: row.id,
      name: name.trim(),
      company: company.trim(),
      position: position.trim(),
      comment: comment.trim(),
      document: read.id,
      place: before.length + 1,
      revision: read.revision,
      digest: read.seal ?? '',
      answeredAt: c.now.toString(),
    })
    await sealDocumentEvent(c, 'answered', read.id, { added: written, row: read })
    const { id } = await written.saved()
    const [sender] = await c.find(user, { username: row.author ?? '', isRetired: false })
    if (sender) await notifyUsers(c, notice, [{ to: sender.id, about: id, since: c.now.toString() }])
    return { set: {} }
  }

/** Returns the errors that the field declarations can't state. */
const answerProblems = ({
  decision,
  name,
  comment,
}: {
  decision: string
  name: string
  comment: string
}): Violation[] => [
  ...(isPersonName(name) ? [] : [violation('name', 'Please enter your name')]),
  ...(decision !== 'accepted' && !removeInvisibleCharacters(comment)
    ? [
        violation(
          'comment',
          decision === 'rejected' ? 'Please enter why you reject the pack' : 'Please enter your comments',
        ),
      ]
    : []),
]

/**
 * Returns the name and company of an answer. An e-mailed link answers in the name of its recipient only, who may add their
 * company to it. Throws 422 for any other.
 */
function readAnswerer(
  { person, company }: Pick<RowOf<typeof packLink>, 'person' | 'company'>,
  given: { readonly name: string; readonly company: string },
): { readonly name: string; readonly company: string } {
  if (!person) return given
  const name = [person, ...(company ? [`${person} (${company})`] : [])].find((one) => isSamePersonName(one, given.name))
  const isOwnCompany = !company || isSamePersonName(company, given.company)
  const wrong = [
    ...(name ? [] : [violation('name', `This link is for ${person} only. Please ask for a link of your own`)]),
    ...(isOwnCompany ? [] : [violation('company', `This link is for ${person} of ${company} only`)]),
  ]
  if (wrong.length) throw problem.invalid(wrong)
  return { name: name ?? '', company: company || given.company }
}

/** `POST shared_packs/{token}/answer`: accepts or rejects the revision that the holder of a link has read. */
const answerRoute = (show: ShowPack): Route =>
  routeWithInput(ANSWER, {
    method: 'POST',
    path: `${AT}/answer`,
    title: 'Accept or reject the pack behind a link. Accepting needs every part in `opened`',
    allow: 'anonymous',
    refuses: [403, 409, 410, 422, 429],
    handle: async (c) => {
      const followed = await resolveOpenLink(c)
      const { clientId, link, company: ours } = followed
      const tried = await countLinkAttempt(
        c,
        clientId,
        `pack-link-names:${clientId}-${link.id}`,
        `This link is for the recipient. People of ${ours} can’t answer with it.`,
      )
      const { decision, name, company, position, comment, opened, after } = c.input
      const wrong = answerProblems({ decision, name: name ?? '', comment: comment ?? '' })
      if (wrong.length) throw problem.invalid(wrong)
      const answerer = readAnswerer(link, { name: name?.trim() ?? '', company: company ?? '' })
      return runAsLinkHolder(c.engine, followed, c.request.id, async (unit) => {
        const parts = await loadPartsToSign(unit, followed.document.id, readerFor(followed))
        // The document is locked first, as for signatures, so that it can't be replaced in between.
        const read = await unit.lock(document, followed.document.id)
        const held = await unit.lock(packLink, link.id)
        const today = londonDate(c.now).toString()
        const refused = refusalFor(held, read, { company: ours, today })
        if (refused) throw new Problem(410, refused)
        if (held.opened === 0) throw problem.conflict('Please open the pack and read it before you answer.')
        await assertLatest(unit, link.id, after ?? 0)
        const known = `Somebody with this name has an account at ${ours}, whose people can’t answer with this link. If you are a different person, add your company after your name`
        await assertNamesWithoutAccount(unit, new Map([['name', answerer.name]]), known, tried)
        const given = decision === 'rejected' ? [] : await readOpenedParts(unit, read, parts, opened ?? [], 'accept')
        await unit.act(packLink, 'answer', held, {
          given: {
            decision,
            ...answerer,
            position: position ?? '',
            comment: comment ?? '',
            opened: limitReadingTimes(given, held.createdAt, unit),
          },
        })
        return async () => ({ ...(await show(c.engine, c.params.token)) })
      })
    },
  })

/**
 * Finds the link to the revision in force for the same recipient, if the pack of a link has been replaced. Returns
 * undefined if the recipient has none.
 */
export async function findNewerLink(engine: Engine, { clientId, link, document: old }: Followed) {
  const today = londonDate(engine.clock.now()).toString()
  if (old.state !== 'replaced' || !link.email || !isOpenLink(link, today)) return undefined
  return engine.readIn(clientId, 'find the current revision of a shared pack', async (c) => {
    const revisions = await c.find(document, { kind: old.kind, documentNumber: old.documentNumber, current: true })
    const current = revisions.find((one) => one.clientId === clientId && !one.retired)
    const links = current ? await c.find(packLink, { document: current.id }) : []
    const newer = links.find((one) => one.email.toLowerCase() === link.email.toLowerCase() && isOpenLink(one, today))
    return current && newer ? { current, newer } : undefined
  })
}

/** `POST shared_packs/{token}/newer`: opens the revision in force for a recipient who has a link to it as well. */
const newerRoute: Route = {
  method: 'POST',
  path: `${AT}/newer`,
  title: 'Get the address of the current revision, if it is shared with the same recipient',
  allow: 'anonymous',
  handle: async (c) => {
    const followed = await resolvePackLink(c.engine, c.params.token)
    const found = await findNewerLink(c.engine, followed)
    if (!found) throw problem.notFound('The current revision has not been shared with you.')
    const { hash, url } = createSecretLink(c.engine.config)
    return runAsLinkHolder(c.engine, { ...followed, link: found.newer }, c.request.id, async (unit) => {
      const held = await unit.lock(packLink, found.newer.id)
      await unit.set(packLink, held, { hashes: [...held.hashes, hash].slice(-20) }, 'open')
      return () => ({ address: url('/pack', followed.clientId, held.id) })
    })
  },
}

/** Routes for the holder of a link: to read the pack in place, and to answer. */
export const packHolderRoutes = (kinds: readonly DocumentKind[], show: ShowPack): Route[] => [
  ...linkReadingRoutes({
    at: AT,
    what: 'the pack',
    kinds,
    resolve: async (c) => {
      const followed = await resolveOpenLink(c)
      return { ...followed, reader: readerFor(followed) }
    },
  }),
  answerRoute(show),
  newerRoute,
]
