import { problem, type Violation, violation } from '#kernel/errors.ts'
import { longText, text, typedJson } from '#kernel/fields.ts'
import { isPlainObject } from '#kernel/forms/rows.ts'
import { idFromAnyIri, parseId } from '#kernel/iri.ts'
import { iriOf, type RowOf } from '#kernel/resource.ts'
import { authorOf, createBearerActor, createSystemActor } from '#kernel/roles.ts'
import { composeEmail } from '#kernel/system-email.ts'
import { removeInvisibleCharacters } from '#kernel/text.ts'
import { londonDate } from '#kernel/time.ts'
import { isEmail, textTooLongMessage } from '#kernel/validate.ts'
import { client } from '#modules/portal/clients/client.ts'
import { consumeRecipientAllowance } from '#modules/portal/mail/claim.server.ts'
import { emailRequested } from '#modules/portal/mail/letter.ts'
import { isNewOpening } from '#server/auth/attempts.ts'
import type { SecretLink } from '#server/engine/module.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import { routeWithInput } from '#server/engine/route-input.ts'
import { createSecretLink, openSecretLink } from '#server/engine/secret-links.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { assertPackShareable } from '../packs/finish-pack.server.ts'
import { loadPackContents } from '../packs/pack-contents.server.ts'
import { readBundleParts, withdrawnPartNames } from '../references/seal-references.server.ts'
import { DOCUMENT_AUTHOR_ROLES } from '../rights.ts'
import { sharedPackEmail } from '../sending/letter-words.ts'
import { document } from '../types/document.ts'
import type { DocumentKind } from '../types/kind.ts'
import { MAX_LINK_TEXT_LENGTHS, MAX_PACK_RECIPIENTS, type PackRecipient, packLink } from './pack-link.ts'

type Link = RowOf<typeof packLink>
type Document = RowOf<typeof document>

/** A resolved link with its pack. If the pack can't be read, also contains the reason. */
export interface Followed {
  readonly clientId: number
  readonly link: Link
  readonly document: Document
  /** Parts of the pack, in no particular order. */
  readonly papers: readonly Document[]
  readonly company: string
  readonly sentence: string
}

/** Resolves a link. Throws 404, without details, if the link is unknown; 410 if the company has left. */
export async function resolvePackLink(engine: Engine, token: string | undefined): Promise<Followed> {
  return openSecretLink(engine, token, 'open a pack link', async (c, { clientId, id, hasHash }) => {
    const link = await c.get(packLink, id)
    const [shared, company] = [link && (await c.get(document, link.document ?? 0)), await c.get(client, clientId)]
    if (!link || ![link.hash, ...link.hashes].some(hasHash) || !shared || !company || company.retired) return undefined
    const [called, papers] = [company.company, await readBundleParts(c, shared.id)]
    const today = londonDate(engine.clock.now()).toString()
    const sentence = refusalFor(link, shared, { company: called, today }) || goneIn(papers, called)
    return { clientId, link, document: shared, papers, company: called, sentence }
  })
}

/** Returns the reason why the link no longer gives access; an empty string if it still does. */
export function refusalFor(
  { withdrawnAt, until }: Link,
  { current, retired, state, documentNumber, revision }: Followed['document'],
  { company, today }: { readonly company: string; readonly today: string },
): string {
  const ask = `Please ask ${company} for a new link.`
  if (withdrawnAt) return `${company} has withdrawn this link. ${ask}`
  if (until < today) return `This link has expired. ${ask}`
  if (retired) return `${company} has withdrawn this pack: do not work from a copy of it. ${ask}`
  if (state === 'replaced' || !current)
    return `${documentNumber} revision ${revision} has been replaced: do not work from a copy of it. ${ask}`
  return ''
}

/** Returns a message if the company has withdrawn a part of the pack; otherwise an empty string. */
function goneIn(papers: readonly Document[], company: string): string {
  const named = withdrawnPartNames(papers)
  if (!named) return ''
  return `${company} has withdrawn part of this pack (${named}): do not work from a copy of the pack. Please ask ${company} for a new link.`
}

/** Returns the actor that reads the pack for the holder of a link, on behalf of the company that shares the pack. */
export const readerFor = ({ clientId, company, link }: Followed) => ({
  ...createSystemActor(clientId, `follow the link for ${link.called}`),
  name: company,
})

/** Works in the company's tenant as the holder of a link, who may only open it and answer. */
export function runAsLinkHolder<T>(
  engine: Engine,
  { clientId, link }: Followed,
  requestId: string,
  act: Parameters<typeof engine.inTenant<T>>[2],
) {
  const holder = createBearerActor(clientId, { username: 'link', name: `Bearer of the link for ${link.called}` }, [
    { type: packLink.type, id: link.id, verbs: ['read', 'open', 'answer'] },
  ])
  return engine.inTenant(clientId, { actor: holder, requestId, resource: packLink, id: link.id }, act)
}

export async function logLinkOpening({ engine, request }: RouteContext, followed: Followed): Promise<void> {
  const { clientId, link } = followed
  if (!(await engine.db.tx('system', (tx) => isNewOpening(tx, `pack ${clientId}-${link.id}`, request.address)))) return
  await runAsLinkHolder(engine, followed, request.id, async (c) => {
    await c.act(packLink, 'open', link.id, {})
    return () => undefined
  })
}

/**
 * Loads the pack that a request asks to share, for one of the company's own people. Throws 404 or 409 if they may not
 * share it: the error names any part that they can't access.
 */
export async function loadShareablePack(c: RouteContext, kinds: readonly DocumentKind[]) {
  const id = parseId(c.params.id)
  if (id === undefined) throw problem.notFound()
  const { kind: name, current, documentNumber, client: owner } = await c.engine.one(document, c.me, id)
  // Provider staff can read other companies' packs but not share them.
  if (idFromAnyIri(owner) !== c.me.clientId) throw problem.notFound()
  const kind = kinds.find((k) => k.kind === name)
  if (!kind?.shared) throw problem.conflict('Only packs can be shared by link.')
  if (!current) throw problem.conflict(`${documentNumber} is not in force. Only documents in force can be shared.`)
  assertPackShareable(c.me, await loadPackContents(c.engine, kinds, c.me, { ids: [id], deep: true }), [id])
  return id
}

/** Secret link in an e-mail with a pack. An e-mail for a link that has been withdrawn or has expired is not sent. */
export const packSecretLink: SecretLink = {
  kind: 'shared pack',
  make: (engine, clientId, { link }) => {
    const change = {
      actor: createSystemActor(clientId, 'create the link in an e-mail with a pack'),
      requestId: 'letter',
    }
    return engine.inTenant(clientId, change, async (c) => {
      const [row] = await c.lockAll(packLink, { id: Number(link) })
      if (!row || !isOpenLink(row, londonDate(c.now).toString())) return () => undefined
      const { hash, url } = createSecretLink(engine.config)
      await c.set(packLink, row, { hashes: [...row.hashes, hash].slice(-MAX_SECRETS) }, 'email')
      return () => url('/pack', clientId, row.id)
    })
  },
}

/** Number of e-mails with the same link whose secrets stay valid. */
const MAX_SECRETS = 20

export const isOpenLink = ({ withdrawnAt, until }: Pick<Link, 'withdrawnAt' | 'until'>, today: string) =>
  withdrawnAt === null && until >= today

/** Queues the e-mail with a link. It counts towards the company's daily limit. */
async function queuePackEmail(c: Context, kinds: readonly DocumentKind[], link: Link): Promise<void> {
  await consumeRecipientAllowance(c, 1)
  const [shared, ours] = [await c.get(document, link.document), await c.get(client, c.clientId)]
  const kind = kinds.find((k) => k.kind === shared?.kind)
  if (!shared || !kind) throw problem.notFound()
  const { name: sender, username: author } = authorOf(c.actor)
  const facts = {
    person: link.person,
    sender,
    company: ours?.company ?? '',
    noun: kind.noun,
    title: `${shared.documentNumber}, revision ${shared.revision}: ${shared.title ?? ''}`,
    message: link.message,
    until: link.until,
  }
  await c.emit(emailRequested, {
    to: link.email,
    ...composeEmail(sharedPackEmail, facts),
    link: { kind: packSecretLink.kind, about: { link: link.id } },
    about: iriOf(packLink, link.id),
    author,
  })
}

/** Action that e-mails a link once more. Throws 409 if the link or its pack is no longer open. */
export const emailAgain =
  (kinds: readonly DocumentKind[]) => async (c: Context & { readonly row: Link; readonly now: Temporal.Instant }) => {
    const { row } = c
    if (!row.email) throw problem.conflict('This link was not e-mailed by the portal. Please create a new one.')
    if (!isOpenLink(row, londonDate(c.now).toString()))
      throw problem.conflict('This link has been withdrawn or has expired. Please send a new one.')
    const shared = await c.get(document, row.document)
    if (!shared?.current || shared.retired)
      throw problem.conflict('This revision is no longer in force. Please send the current one.')
    await queuePackEmail(c, kinds, row)
    return { set: { emailedAt: c.now.toString() } }
  }

const said = (value: unknown): string => (typeof value === 'string' ? removeInvisibleCharacters(value).trim() : '')

/** Reads the recipients of a pack. Throws 422 with an error for each wrong value, and 400 if they are no list. */
function readRecipients(given: unknown): readonly PackRecipient[] {
  if (!Array.isArray(given) || !given.every(isPlainObject))
    throw problem.badRequest('The recipients must be a list of objects with a name, company and email.')
  const refuse = (message: string) => problem.invalid([violation('recipients', message)])
  if (!given.length) throw refuse('Please enter at least one recipient')
  if (given.length > MAX_PACK_RECIPIENTS) throw refuse(`Please enter at most ${MAX_PACK_RECIPIENTS} recipients`)
  const recipients = given.map(({ name, company, email }) => ({
    name: said(name),
    company: said(company),
    email: said(email),
  }))
  const addresses = recipients.map(({ email }) => email.toLowerCase())
  const wrong = recipients.flatMap(({ name, company, email }, i): Violation[] => {
    const at = `recipients[${i}]`
    const [long, far] = [
      textTooLongMessage('Name', MAX_LINK_TEXT_LENGTHS.name, name),
      textTooLongMessage('Company', MAX_LINK_TEXT_LENGTHS.company, company),
    ]
    return [
      ...(name ? [] : [violation(`${at}.name`, 'Please enter the recipient’s name')]),
      ...(long ? [violation(`${at}.name`, long, 'too_long')] : []),
      ...(far ? [violation(`${at}.company`, far, 'too_long')] : []),
      ...(isEmail(email) ? [] : [violation(`${at}.email`, 'Please enter an e-mail address such as name@firm.co.uk')]),
      ...(email && addresses.indexOf(email.toLowerCase()) < i
        ? [violation(`${at}.email`, 'This address is already in the list', 'duplicate')]
        : []),
    ]
  })
  if (wrong.length) throw problem.invalid(wrong)
  return recipients
}

/** Throws 422 for each recipient who already has a link to this revision that still opens it. */
async function refuseRepeated(c: Context, id: number, recipients: readonly PackRecipient[]): Promise<void> {
  const today = londonDate(c.now).toString()
  const open = (await c.find(packLink, { document: id })).filter((link) => link.email && isOpenLink(link, today))
  const known = new Set(open.map(({ email }) => email.toLowerCase()))
  const wrong = recipients.flatMap(({ email }, i) =>
    known.has(email.toLowerCase())
      ? [
          violation(
            `recipients[${i}].email`,
            `${email} already has a link to this revision. To e-mail it again, choose “Send again” beside it`,
            'duplicate',
          ),
        ]
      : [],
  )
  if (wrong.length) throw problem.invalid(wrong)
}

/** `POST documents/{id}/emailed_links`: creates a link for each recipient and e-mails it. */
export const emailPackRoute = (kinds: readonly DocumentKind[]): Route =>
  routeWithInput(
    {
      recipients: typedJson<readonly PackRecipient[]>()({ default: [] }),
      message: longText({ default: '', max: 2000, label: 'Message' }),
      until: text({ label: 'Expires on' }),
    },
    {
      method: 'POST',
      path: `${document.url}/{id}/emailed_links`,
      title: 'E-mail a pack: each recipient gets a link, by which they read the pack and accept or reject it',
      allow: DOCUMENT_AUTHOR_ROLES,
      of: document,
      refuses: [409, 413, 422, 429],
      handle: async (c) => {
        const id = await loadShareablePack(c, kinds)
        const recipients = readRecipients(c.input.recipients)
        return c.engine.inTenant(c.me.clientId, c.change(), async (unit) => {
          // Two requests at the same moment must not e-mail the same person twice.
          const shared = await unit.lock(document, id)
          if (!shared.current) throw problem.conflict(`${shared.documentNumber} is no longer in force.`)
          await refuseRepeated(unit, id, recipients)
          for (const { name, company, email } of recipients) {
            const made = await unit.withoutPermissionCheck('share a pack by e-mail').create(packLink, {
              document: id,
              called: company ? `${name}, ${company}` : name,
              until: c.input.until ?? undefined,
              person: name,
              company,
              email,
              message: (c.input.message ?? '').trim(),
              emailedAt: unit.now.toString(),
              // Only the secrets in the e-mails open the link, and each is created when its e-mail is sent.
              hash: createSecretLink(c.engine.config).hash,
            })
            await queuePackEmail(unit, kinds, await made.saved())
          }
          return () => ({ document: iriOf(document, id), emailed: recipients.map(({ email }) => email) })
        })
      },
    },
  )
